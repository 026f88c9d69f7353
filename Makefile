# Every target sets up what it needs through scripts/setup; a stamp per level makes the second time quick.
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup sweep serve test lint types test-js test-python test-e2e contract cases commands lock validate-estimator bench \
	wheel clean

BIN := .venv/bin
SWEEP_READY := .venv/.setup-sweep
TEST_READY := .venv/.setup-test
ARGS ?=

help: ## list the targets
	@awk -F ':[^#]*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-20s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo 'ARGS="..." hands options on, for example: make sweep ARGS="--suite standard --runs 5"'

$(SWEEP_READY): requirements.lock pyproject.toml scripts/setup
	scripts/setup sweep

$(TEST_READY): requirements.lock requirements-dev.lock package-lock.json pyproject.toml scripts/setup
	scripts/setup test

setup: ## install everything that sweeps, tests and linters need, looking anew at what is missing
	scripts/setup test

sweep: $(SWEEP_READY) ## measure every runtime of this machine and print the table
	$(BIN)/dispatchmark sweep $(ARGS)

serve: $(SWEEP_READY) ## serve the benchmark page and the dashboard
	$(BIN)/dispatchmark serve $(ARGS)

test: lint types test-js test-python test-e2e ## everything that CI runs, quickest first

lint: $(TEST_READY) ## ruff, eslint, and shellcheck where it is installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	npm run --silent lint
	@if command -v shellcheck >/dev/null; then echo "shellcheck scripts/setup .ci/run"; \
		shellcheck scripts/setup .ci/run; else echo "shellcheck is not installed; left out"; fi

types: $(TEST_READY) ## mypy over the package, tsc over web/
	$(BIN)/mypy
	npm run --silent types

test-js: $(TEST_READY) ## the page's code under node, with a fake GPU and a fake clock
	npm test --silent

test-python: $(TEST_READY) ## everything but the browser tests
	$(BIN)/python -m pytest -m "not e2e" $(ARGS)

test-e2e: $(TEST_READY) ## real browsers, the built wheel and native runtimes against a real server
	$(BIN)/python -m pytest -m e2e $(ARGS)

contract: $(TEST_READY) ## the page's types from the wire contract (web/core/contract.d.ts)
	npm run --silent contract

cases: $(TEST_READY) ## docs/cases.md from wgsl/suite.json
	$(BIN)/python -m scripts.cases

commands: $(TEST_READY) ## docs/commands.md from the commands' own help
	$(BIN)/python -m typer dispatchmark.cli.main utils docs --name dispatchmark --title Commands --output docs/commands.md

COMPILE = $(BIN)/uv pip compile pyproject.toml --quiet --universal --fork-strategy fewest --python-version 3.11 \
	--generate-hashes --no-emit-index-url --custom-compile-command "make lock" --extra build $(ARGS)

lock: $(TEST_READY) ## the locks from pyproject.toml (ARGS=--upgrade takes newer versions)
	$(COMPILE) --output-file requirements.lock
	$(COMPILE) --extra dev --constraint requirements.lock --output-file requirements-dev.lock

validate-estimator: $(TEST_READY) ## simulate runs of known cost and write how well the estimator finds it
	$(BIN)/python -m tests.validation $(ARGS)

bench: $(TEST_READY) ## the harness against a minimal loop, in the same process
	$(BIN)/python -m tests.bench $(ARGS)

wheel: $(TEST_READY) ## build the wheel, with the page and the kernels in it, into dist/
	$(BIN)/hatchling build -t wheel

clean: ## remove what was built and cached; .venv and node_modules stay
	rm -rf build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find server tests scripts -name __pycache__ -type d -prune -exec rm -rf {} +
