# Everything works on a machine that has only Python (3.11 or newer, with venv) and make.
# uv is used where it is installed; the lock files pin every package either way.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
UV     := $(shell command -v uv 2>/dev/null)

ifeq ($(UV),)
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
else
INSTALL := $(UV) pip install --quiet --python $(BIN)/python
endif

.PHONY: demo test test-only test-pythons lint bench eval peers nights lock clean help

help:
	@echo "make demo   dream once over a fresh copy of the sample vault, offline"
	@echo "make test   install what the tests need, check the code, run all tests"
	@echo "make bench  print the benchmark tables"
	@echo "make eval   run the labelled cases (EVAL=\"--provider openai --model …\" for a model)"
	@echo "make nights replay sixty nights of a diary whose facts are known"
	@echo "make peers  install ReMe as well, and print what both do in the same scenes"

demo: $(VENV)/.run
	@$(BIN)/vault-dream --demo --headless

test: lint test-only

test-only: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2

# The whole suite on every other Python that is named, each in an environment of its own.
PYTHONS ?= python3.12 python3.13 python3.14
test-pythons:
	@for python in $(PYTHONS); do \
		command -v $$python >/dev/null || { echo "$$python: not here"; continue; }; \
		$(MAKE) --no-print-directory test-only PYTHON=$$python VENV=.venv-$$(basename $$python) || exit 1; \
	done

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy --platform win32
	$(BIN)/mypy --platform darwin
	$(BIN)/lint-imports --no-cache

bench: $(VENV)/.dev
	$(BIN)/python -m tests.bench

eval: $(VENV)/.dev
	$(BIN)/python -m tests.evals --verbose $(EVAL)

nights: $(VENV)/.dev
	$(BIN)/python -m tests.evals.longitudinal --plot assets/guide/sixty-nights.svg

peers: $(VENV)/.dev .venv-peers/.installed
	$(BIN)/python -m tests.peers .venv-peers/bin/python

# The peer has many dependencies of its own, so it stays out of our environment and its locks.
.venv-peers/.installed:
	@$(PYTHON) -m venv .venv-peers
	@.venv-peers/bin/python -m pip install --quiet --disable-pip-version-check \
		reme-ai==0.4.2.0 agentscope==2.0.11
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Vault Dream needs Python 3.11 or newer; name one: make demo PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements.lock pyproject.toml | $(BIN)/python
	@echo "installing into $(VENV) ..."
	@$(INSTALL) --require-hashes -r requirements.lock
	@$(INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.run
	@$(INSTALL) --require-hashes -r requirements-dev.lock
	@touch $@

# Renews both lock files for every supported Python and system; needs uv.
LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	--no-emit-index-url --no-annotate

lock:
	printf 'editables\nhatchling\n' | $(LOCK) pyproject.toml - -o requirements.lock
	$(LOCK) pyproject.toml --group dev -c requirements.lock -o requirements-dev.lock

clean:
	rm -rf $(VENV) .venv-peers build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
