# make run [ARGS="grade reduction my.cu"]   install what fits this machine once, then start warpdojo
# make test | lint | clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
PYTEST_ARGS ?=

.PHONY: run test lint clean
.SILENT:

run: $(VENV)/.installed
	$(BIN)/warpdojo $(ARGS)

# pytest comes last, so that its summary is the last line.
test: lint
	$(BIN)/python -m pytest -q -n auto --dist worksteal $(PYTEST_ARGS)

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy --no-error-summary

clean:
	rm -rf $(VENV) dist .mypy_cache .ruff_cache .pytest_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "Warp Dojo needs Python 3.11 or newer; $(PYTHON) is older. Use: make PYTHON=python3.12" >&2; exit 3; }
	$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	    { echo "Python's venv module is missing. Install it with: sudo apt install python3-venv" >&2; exit 3; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml scripts/extras.py | $(BIN)/python
	extras=$$($(BIN)/python scripts/extras.py) && \
	    echo "installing warpdojo[$$extras] into $(VENV), once" >&2 && \
	    $(PIP) install --editable ".[$$extras]"
	$(BIN)/python -m compileall -q trainer  # pip does so for what it copies; a cold start waits 0.4 s for it
	touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	extras=$$($(BIN)/python scripts/extras.py) && $(PIP) install --editable ".[$$extras,dev]"
	touch $@
