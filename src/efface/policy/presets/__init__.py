"""Policies that come with the package. `efface policy preset NAME` prints one."""
