# Two commands for everyone: `make run` and `make test`. The rest is for people who change the code.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: run test test-all check bench docs dist format clean

run: $(VENV)/.base
	$(BIN)/efface demo

# Hundreds of processes start in the tests. With byte code on the disk none of them compiles the modules again.
# They also write thousands of small files and bring each to the disk. With room in memory they need not wait for it.
MEMORY := $(shell test "$$(df -k --output=avail /dev/shm 2>/dev/null | tail -1)" -gt 4194304 2>/dev/null && echo /dev/shm)
test test-all: export PYTHONDONTWRITEBYTECODE =
test test-all: export TMPDIR := $(or $(MEMORY),$(TMPDIR),/tmp)
test: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal

# The same tests with all examples of each property, for a change of an algorithm and before a release.
test-all: export EFFACE_FULL_TESTS = 1
test-all: test

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

docs: $(READY)
	$(BIN)/python -m tools.reference
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "Open build/site/index.html"

# The wheel, what it takes to install it alone, the demo in it, and its bill of materials (CycloneDX).
dist: $(READY)
	$(BIN)/python -m tools.packaging

bench: $(READY)
	$(BIN)/python -m benchmarks

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The base install is enough for the demo; the tests add the tools of the trade to it. Most of those files are never
# imported, so pip does not compile them: that was half of the installation's time.
$(VENV)/.base: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "efface needs Python 3.11 or newer")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

$(READY): $(VENV)/.base
	$(BIN)/python -m pip install --no-compile --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,experiments]'
	touch $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache
