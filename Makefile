# Dispatchmark: `make sweep` measures this machine, `make test` runs every check. Both install what they need.
SHELL := bash
.DEFAULT_GOAL := help
.PHONY: help setup setup-test sweep serve runtimes test lint types test-js test-python test-e2e contract cases lock \
  validate-estimator bench wheel clean

PYTHON := .venv/bin/python
SWEEP ?=

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 22

setup: ## install what sweeps need: system packages, .venv, browsers
	@scripts/setup sweep

setup-test: ## install what the tests need as well: npm packages, checkers, WebKitGTK
	@scripts/setup test

sweep: setup ## measure every runtime of this machine; more options: make sweep SWEEP="--suite standard --runs 5"
	@.venv/bin/dispatchmark sweep $(SWEEP)

runtimes: setup ## list the runtimes of this machine, and what the missing ones need
	@.venv/bin/dispatchmark runtimes

serve: setup ## serve the volunteer page and the dashboard on the default database
	@.venv/bin/dispatchmark serve

test: setup-test lint types test-js test-python test-e2e ## every check: lint, types, unit, contract, JS and end-to-end tests

lint: setup-test ## ruff, eslint, shellcheck
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	npm run --silent lint
	if command -v shellcheck >/dev/null; then shellcheck scripts/setup .ci/run; fi

types: setup-test ## mypy --strict and tsc
	$(PYTHON) -m mypy
	npm run --silent types

test-js: setup-test ## the benchmark core on a fake GPU, in Node
	npm test

test-python: setup-test ## unit and contract tests in Python
	$(PYTHON) -m pytest -q -m "not e2e"

test-e2e: setup-test ## real browsers and native runtimes against a real server
	$(PYTHON) -m pytest -q -m e2e

contract: setup-test ## write the page's types from the contract
	npm run --silent contract

cases: setup-test ## write docs/cases.md from wgsl/suite.json
	$(PYTHON) scripts/write-cases-doc

lock: ## renew requirements.lock, requirements-dev.lock and package-lock.json
	scripts/lock

validate-estimator: setup-test ## simulate planted truths and write the table of docs/methodology.md
	$(PYTHON) -m tests.validation

bench: setup-test ## fidelity of the harness against hand-written loops
	$(PYTHON) -m tests.bench

wheel: setup-test ## build the wheel into dist/
	$(PYTHON) -m hatchling build -t wheel

clean: ## remove what setup and the tests made in this folder
	rm -rf .venv node_modules dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
