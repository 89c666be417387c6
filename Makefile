# `make serve` and `make test` do all their set-up: a machine with Python 3.11, pip, make and git is enough.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.SUFFIXES:
.PHONY: help serve test lint fix wheels bench evals pins clean tools debian-packages

# uv trusts the system's certificate authorities, a company's own among them, only if it is told.
export UV_SYSTEM_CERTS ?= true

ENV ?= .venv
DIST ?= dist
ARGS ?=
bin := $(ENV)/bin
manifests := pyproject.toml $(wildcard meta/*/pyproject.toml plugins/*/pyproject.toml)
npm := $(wildcard tests/system/npm/package-lock.json)
python_rooms := websearch_core plugins examples tests evals scripts conftest.py

# Our own distributions come from these folders, all in one command, so that no name of ours is looked up in an index.
# Two bring a runtime that is larger than everything else: `make serve` leaves them to those who want them.
heavy := plugins/guard_model plugins/browser
ours := -e '.[server]' $(patsubst %/pyproject.toml,-e %,$(filter-out $(heavy:=/%),$(wildcard plugins/*/pyproject.toml)))
install := $(bin)/uv pip install --python $(bin)/python --constraints constraints.txt --build-constraints constraints.txt

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

serve: $(ENV)/.serve ## Set up what is missing, then run the server on http://127.0.0.1:8089/mcp
	@exec $(bin)/websearch serve $(ARGS)

# The tests start hundreds of processes: none compiles anew what another one has compiled, nor writes it into the tree.
test: tools debian-packages ## Set up what is missing, then run the tests (ARGS="-k redirect" narrows; ARGS="-m slow": what builds and measures)
	@PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$(abspath $(ENV))/.bytecode exec $(bin)/pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder $(ARGS)

lint: tools ## Style, types, layers, and what must not be in the tree
	$(bin)/ruff check $(python_rooms)
	$(bin)/ruff format --check $(python_rooms)
	$(bin)/pyright --pythonpath $(bin)/python
	$(bin)/lint-imports
	$(bin)/python scripts/check_tree.py

fix: tools ## Mend what ruff can mend
	$(bin)/ruff check --fix $(python_rooms)
	$(bin)/ruff format $(python_rooms)

wheels: $(ENV)/.uv ## Build every distribution into dist/ (DIST=FOLDER: into another one)
	@rm -f $(DIST)/websearch_*
	@set -e; for manifest in $(manifests); do \
	  $(bin)/uv build --quiet "$$(dirname $$manifest)" --out-dir $(DIST) --build-constraints constraints.txt; done
	@ls $(DIST)/*.whl

bench: $(ENV)/.serve ## Measure the server against a bare MCP server, engines' answers, and pacing, with a chart (under five minutes)
	@$(bin)/python -m evals.bench --table build/bench/numbers.md $(ARGS)
	@$(bin)/python -m evals.pacing
	@$(bin)/python -m evals.charts --numbers build/bench/numbers.md --into build/bench || true

evals: tools ## Measure safety, extraction (both on DATA=FOLDER, which is not part of this project), and the library, with charts
	@bash scripts/evals.sh $(bin)/python "$(DATA)" $(ARGS)

pins: $(ENV)/.uv ## Write constraints.txt anew for what the pyproject files ask; UPGRADE=1 takes the newest versions
	printf '%s\n' editables hatchling setuptools wheel | $(bin)/uv pip compile --quiet --universal --python-version 3.11 \
	  --all-extras --group dev --group mutants --no-header --no-annotate --no-emit-index-url $(if $(UPGRADE),--upgrade) \
	  $(foreach manifest,$(manifests),--no-emit-package $(shell sed -nE 's/^name = "(.*)"/\1/p' $(manifest) | head -1)) \
	  --output-file constraints.txt $(manifests) -

clean: ## Remove the environment and what the tools left behind
	rm -rf $(ENV) dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache tests/system/npm/node_modules
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(ENV)/.uv: scripts/environment.sh
	bash scripts/environment.sh $(ENV)
	@touch $@

$(ENV)/.serve: $(ENV)/.uv $(manifests) constraints.txt
	$(install) $(ours)
	@touch $@

$(ENV)/.tools: $(ENV)/.serve
	$(install) $(ours) $(patsubst %,-e %,$(heavy)) --group dev
	@touch $@

$(ENV)/.npm: $(npm) | $(ENV)/.tools
	bash scripts/npm.sh $(ENV) tests/system/npm
	@touch $@

tools: $(ENV)/.tools $(if $(npm),$(ENV)/.npm)

debian-packages:
	@bash scripts/debian-packages.sh searx:searx-run nginx:nginx chromium:chromium
