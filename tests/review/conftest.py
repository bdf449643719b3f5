"""The service with the hospital, as the service's own tests have it."""

from tests.service.conftest import house as house
from tests.service.conftest import open_house as open_house
from tests.service.conftest import template as template
