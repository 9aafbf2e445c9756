# Everything a contributor does; `make help` lists it.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.ready
export OPENBLAS_NUM_THREADS ?= 1
export OMP_NUM_THREADS ?= 1
export TOKENIZERS_PARALLELISM ?= false
export HF_HUB_OFFLINE ?= 1
export GX_ANALYTICS_ENABLED ?= false
export DVC_NO_ANALYTICS ?= 1
WORKERS ?= 2
OUT ?= audits
CHROMIUM := $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)

.DEFAULT_GOAL := help
.PHONY: help setup browser demo test test-quick test-core test-torch lint format schema \
	bench-laws repro clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

setup: $(STAMP) ## make the virtual environment (torch is a CPU build where one is offered)

$(STAMP): pyproject.toml constraints.txt
	@echo "setting up .venv: about 2 GB with torch; a CUDA build of torch is larger by several GB"
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		-c constraints.txt --group dev -e '.[train,gx,dvc]'
	touch $(STAMP)

browser: ## install Chromium for the tests of the page, where the system has none
ifeq ($(CHROMIUM),)
	-(apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-noto-cjk) >/dev/null 2>&1
endif

demo: $(STAMP) ## set everything up and audit the real data in examples/demo
	$(BIN)/python examples/demo/run.py --out $(OUT)

repro: $(STAMP) ## the same audits as a DVC pipeline
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/dvc repro --keep-going

test: $(STAMP) browser lint test-core test-torch ## set everything up, lint and run every test

test-core: $(STAMP)
	$(BIN)/python -m pytest -q -n $(WORKERS) -m "not torch" --cov --cov-report= tests

test-torch: $(STAMP)
	$(BIN)/python -m pytest -q -m torch --cov --cov-append --cov-report=term:skip-covered \
		--cov-fail-under=85 tests

test-quick: $(STAMP) ## the tests that take seconds
	$(BIN)/python -m pytest -q -n $(WORKERS) -m "not torch and not slow" tests

lint: $(STAMP) ## ruff, mypy, pyright, import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	. $(BIN)/activate && $(BIN)/pyright
	$(BIN)/lint-imports

format: $(STAMP) ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

schema: $(STAMP) ## write docs/report.schema.json
	$(BIN)/corpusgate schema > docs/report.schema.json

bench-laws: $(STAMP) ## the laws as property tests, 1,000 examples each
	CORPUSGATE_EXAMPLES=1000 $(BIN)/python -m pytest -q -n $(WORKERS) tests/laws

clean: ## take away what was built
	rm -rf .venv build dist *.egg-info src/*.egg-info .corpusgate audits
