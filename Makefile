# `make search`, `make compare` and `make test` each set up a fresh machine (Python 3.11+, a C++20 compiler, make), then do
# their job. With DEBUG=1 the native code is built with assertions and debug information, in a folder of its own. With
# WHEEL=FILE the wheel is installed in its place, in an environment of its own, and no compiler is needed.
PYTHON ?= python3
WHEEL ?=
VENV ?= .venv$(if $(WHEEL),-wheel)
ARGS ?=
BIN := $(VENV)/bin
# Python compiles the modules that it imports, a small part of those that are installed, and keeps them.
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --no-compile
DEBUG_SETTINGS := --config-settings=cmake.build-type=Debug --config-settings=build-dir=build/debug-{wheel_tag}
INSTALLED := $(VENV)/.installed$(if $(DEBUG),-debug)
# The requirements in lists of pyproject.toml, one a line: `requires` to build, `dependencies` to run, or those of an extra.
REQUIREMENTS := $(BIN)/python -c 'import sys, tomllib; table = tomllib.load(open("pyproject.toml", "rb")); \
  project, build = table["project"], table["build-system"]; lists = project | build | project["optional-dependencies"]; \
  print(*(one for name in sys.argv[1:] for one in lists[name]), sep="\n")'
NATIVE := CMakeLists.txt $(wildcard */native/*.[ch]pp */native/src/* */native/include/isoplane/* */native/include/isoplane/sim/*)

# Tests start hundreds of programs, each of which would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: search compare test check tools stubs schemas bench bounds records pictures docs wheels clean

search: $(INSTALLED)
	$(BIN)/isoplane search $(ARGS)

compare: $(INSTALLED)
	$(BIN)/isoplane compare nodes=1024 ports=36 $(ARGS)

# As many processes as the cores of a small machine: each one more collects all tests once more.
PYTEST := $(BIN)/python -m pytest -n 2 --dist worksteal

# Without the long tests, unless ARGS='-m ""'.
test: $(VENV)/.installed-dev
	$(PYTEST) -m 'not long' --ignore tests/benchmarks --ignore tests/docs $(ARGS)

# What CI checks beside the tests: style, types, native tests under sanitizers, generated files, programs of benchmarks,
# examples of the documentation.
check: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $$(git ls-files '*.cpp' '*.hpp' '*.inl')
	$(BIN)/mypy
	$(MAKE) stubs schemas VENV=$(VENV) && git diff --exit-code -- '*/_native.pyi' '*.schema.json'
	$(BIN)/cmake -S . -B build/native -DISOPLANE_PYTHON=OFF -DISOPLANE_NATIVE_TESTS=ON -DISOPLANE_SANITIZE=ON
	$(BIN)/cmake --build build/native -j 2
	$(BIN)/ctest --test-dir build/native -j 2 --output-on-failure
	$(PYTEST) tests/docs tests/benchmarks

# Debian's packages of the programs that tests run, such as OpenSM and SimGrid; without them those tests are skipped. The
# packages of OpenSM and Slurm have services: on a machine with InfiniBand adapters, stop opensm afterwards.
tools:
	.ci/install_tools

stubs: $(VENV)/.installed-dev
	for room in models objectives search simulator; do \
	  $(BIN)/python -m nanobind.stubgen -q -m isoplane.$$room._native -o $$room/_native.pyi || exit 1; \
	  $(BIN)/ruff format -q $$room/_native.pyi; done

# What the schemas of records say of metrics, from the table of metrics.
schemas: $(VENV)/.installed-dev
	$(BIN)/python -m isoplane.runs.records.metric_schema

bench: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/kernel.py $(ARGS)

# Certificates of the bounds: solves for about an hour.
bounds: $(VENV)/.installed-dev
	$(BIN)/python -m isoplane.objectives.bounds $(ARGS)

# Every best known design, recomputed by the reference: a few minutes.
records: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/best.py --verify $(ARGS)

# The pictures of pages in docs/images, by Chromium: a few minutes. Root needs CHROMIUM='chromium --no-sandbox'.
CHROMIUM ?= chromium
PAGES := build/pictures
DRAW = $(CHROMIUM) --headless --hide-scrollbars --screenshot=docs/images/$(1).png --window-size=$(2),$(3) file://$(CURDIR)/$(PAGES)
pictures: $(INSTALLED)
	rm -rf $(PAGES)
	$(BIN)/isoplane search network.n=4 stop.seconds=null hydra.run.dir=$(PAGES)/search
	$(BIN)/isoplane compare nodes=1024 ports=36 throughput=0.9 hydra.run.dir=$(PAGES)/compare
	$(BIN)/isoplane compare nodes=32 ports=12 'families=[hyperx,full_mesh]' failures=none page=interactive \
	  'page.nodes=[24]' hydra.run.dir=$(PAGES)/sliders
	$(call DRAW,report,1100,1400)/search/report.html
	$(call DRAW,compare,1280,1400)/compare/report.html
	$(call DRAW,interactive,1120,1150)/sliders/interactive.html

# The documentation as a site in build/site; a link without a target is an error.
docs: $(VENV)/.installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# An sdist and a wheel for each of PLATFORMS, in dist/.
PLATFORMS ?= x86_64 aarch64
wheels: $(VENV)/.installed-wheels
	.ci/build_wheels $(BIN)/python $(PLATFORMS)

clean:
	rm -rf build dist $(VENV)

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "isoplane needs Python 3.11 or later")'
	$(PYTHON) -m venv $(VENV)

ifneq ($(WHEEL),)
$(INSTALLED): $(WHEEL) | $(BIN)/python
	$(PIP) $(WHEEL)
	$(PIP) --no-deps --force-reinstall $(WHEEL)
	touch $@
else
# What builds is in the environment, not in one that pip makes for each build at another path: so a build continues the
# last one, and compiles only what has changed. Requirements come first, as those without a wheel need pip's environment.
$(INSTALLED): pyproject.toml $(NATIVE) | $(BIN)/python
	@echo "isoplane is installed in $(VENV), with $(words $(filter %.cpp,$(NATIVE))) files of C++ to compile:" \
	  "about three minutes on two cores the first time, none with WHEEL=FILE"
	$(REQUIREMENTS) requires build dependencies | $(PIP) --requirement /dev/stdin
	$(PIP) --no-deps --no-build-isolation $(if $(DEBUG),$(DEBUG_SETTINGS)) --editable .
	rm -f $(VENV)/.installed $(VENV)/.installed-debug
	touch $@
endif

$(VENV)/.installed-dev: pyproject.toml | $(INSTALLED)
	$(REQUIREMENTS) requires build dependencies dev ray slurm | $(PIP) --requirement /dev/stdin
	touch $@

$(VENV)/.installed-wheels: pyproject.toml | $(BIN)/python
	$(REQUIREMENTS) requires build wheels | $(PIP) --requirement /dev/stdin
	touch $@

# Only what the extra lists: the site needs no compiled program.
$(VENV)/.installed-docs: pyproject.toml | $(BIN)/python
	$(REQUIREMENTS) docs | $(PIP) --requirement /dev/stdin
	touch $@
