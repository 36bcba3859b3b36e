# `make demo` shows the main job, `make test` runs the tests, `make check` is what every change must pass.
# Each sets up what it needs in .venv; only Python 3.10 or newer and make have to be there.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
DEMO := build/demo
FUZZ_SECONDS ?= 60
TOOL = PYTHONPATH=tests:tests/tools:tests/differential $(BIN)/python -m

# What is compiled is kept: it is half of what a short run of the tests takes.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test test-slow nightly test-oldest check lint format docs pictures release-check coverage mutate oracle timing bench recall harm recorded fuzz clean

help:
	@echo "make demo       fill the inertials of a rover and show what changed: half a minute, most of it installing"
	@echo "make check      format, lint, types, prose and tests: what every change must pass"
	@echo "make test       install what tests need and run them: two to three minutes on two cores"
	@echo "make test-slow  run those that need a browser, kill processes, measure growth or hold fuzz contracts: some minutes more"
	@echo "make lint       check format, lint, types, spelling and prose"
	@echo "make format     format the code"
	@echo "make docs       build the documentation into build/site, without the network"
	@echo "make clean      remove everything that was built"
	@echo "For coverage, mutation tests, fuzzing, benchmarks and releases see CONTRIBUTING.md"

demo: $(VENV)/.installed
	@rm -rf $(DEMO) && mkdir -p $(DEMO) && cp -R fixtures/rover $(DEMO)/rover
	@echo "A wheel of the rover asks for its inertial. What would be written:"
	$(BIN)/sdfinertia fill --quiet --diff --link rover::front_left_wheel $(DEMO)/rover/model.sdf
	@echo "What is said of it, and then all links filled:"
	$(BIN)/sdfinertia fill --link rover::front_left_wheel $(DEMO)/rover/model.sdf
	$(BIN)/sdfinertia fill --quiet --report $(DEMO)/report.html $(DEMO)/rover/model.sdf
	$(BIN)/sdfinertia check $(DEMO)/rover
	@echo "The rover in three dimensions, for a browser: $(DEMO)/report.html"

test: $(VENV)/.installed-test
	@$(BIN)/python -m pytest -q -n auto --dist worksteal

test-slow: $(VENV)/.installed-test
	@$(BIN)/python -m pytest -q -n auto --dist worksteal -m slow

# Properties are tried with many examples, drawn anew each time; a failure prints what repeats it.
nightly: $(VENV)/.installed-test
	@HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -q -n auto --dist worksteal -m "not timing"

# The oldest versions that pyproject.toml allows, on the oldest Python: make test-oldest PYTHON=python3.10
test-oldest: $(VENV)/.created
	$(BIN)/python -m pip install --quiet --upgrade uv
	$(BIN)/uv pip install --quiet --python $(BIN)/python --resolution lowest-direct --editable '.[test]'
	$(BIN)/python -m pytest -q -n auto --dist worksteal

check: lint test

lint: $(VENV)/.installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/codespell sdfinertia tests docs *.md
	$(BIN)/proselint --config .proselintrc.json check docs *.md
	if [ -x $(BIN)/mypy ]; then $(BIN)/mypy; else echo "types are checked on Python 3.11 and newer"; fi

format: $(VENV)/.installed-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(VENV)/.installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "the documentation is in build/site/index.html"

# Those of pages; a browser takes them.
pictures: $(VENV)/.installed-test
	PYTHONPATH=tests $(BIN)/python docs/hooks/screenshots.py

# What it leaves in dist/ is what is published.
release-check: check $(VENV)/.installed-release
	rm -rf dist && $(BIN)/python -m build && $(BIN)/twine check --strict dist/*

# Some tests kill what they started: what those processes ran is not counted, and one that was writing it down leaves a
# file that is warned of and passed over. Tests that fail are told after the report.
coverage: $(VENV)/.installed-coverage
	rm -rf build/coverage && mkdir -p build/coverage
	$(BIN)/coverage run -m pytest -q -n auto --dist worksteal -m "not timing"; tests=$$?; \
	$(BIN)/coverage combine --quiet && $(BIN)/coverage report && exit $$tests

# A module: make mutate MUTANTS="'sdfinertia.inertia.solids*'"; a sample of a room, one mutant of each longer function:
# MUTANTS="'sdfinertia.rules.*_13'". What they change: .venv/bin/mutmut show NAME.
mutate: $(VENV)/.installed-mutation
	rm -rf mutants
	$(BIN)/mutmut run $(MUTANTS)
	$(BIN)/mutmut results

oracle: $(VENV)/.installed-oracle
	HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -m oracle tests/oracle

# One after the other, so that none waits for another's cache and memory.
timing: $(VENV)/.installed-test
	$(BIN)/python -m pytest -m timing

# Options: make bench BENCH="--rows stl,obj --runs 3", or BENCH=--quick for a run of seconds.
bench: $(VENV)/.installed-bench
	$(TOOL) benchmarks $(BENCH)

# Real models are those below SDFINERTIA_REAL, else the fixtures. Options: make recall RECALL="--links 20 --list".
recall: $(VENV)/.installed-test
	$(TOOL) recall $(RECALL)

# Models are the fixtures and those below SDFINERTIA_REAL. Options: make harm HARM="--command OLD/bin/sdfinertia DIRECTORY".
harm: $(VENV)/.installed-test
	$(TOOL) harm --command $(BIN)/sdfinertia $(HARM)

# Compares what the commands do with tests/tools/recorded/record.txt; RECORD=--write records anew, RECORD="--only TEXT" looks at some.
recorded: $(VENV)/.installed-test
	$(TOOL) recorded $(RECORD)

# Options: make fuzz FUZZ="fill obj" FUZZ_SECONDS=600; corpora and what is found stay in build/fuzz for the next run.
fuzz: $(VENV)/.installed-fuzz
	$(TOOL) fuzzing --seconds $(FUZZ_SECONDS) $(FUZZ)

clean:
	rm -rf $(VENV) build dist mutants .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Older versions of pip take minutes to choose versions that fit together.
$(VENV)/.created:
	@echo "making an environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --upgrade pip
	@touch $@

$(VENV)/.installed: $(VENV)/.created pyproject.toml
	@echo "installing sdfinertia and what it needs: 60 MB to fetch, half a minute or so"
	@$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.installed-%: $(VENV)/.created pyproject.toml
	@echo "installing sdfinertia with what '$*' needs: a minute or more"
	@$(BIN)/python -m pip install --quiet --editable '.[$*]'
	@touch $@ $(VENV)/.installed
