#!/bin/bash
# nnterp 1.3.0 asks for nnsight>=0.6, which pip answers with nnsight 0.8.1; there `import nnterp` ends with
# "No module named 'nnsight.intervention.tracing'": the module that it reads nnsight's tracer from has moved.
# Ends with 0 where this is seen, with 1 where it is not.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
python3 -m venv "$work/v"
"$work/v/bin/pip" install -q torch==2.13.0 nnterp==1.3.0 nnsight==0.8.1
cd "$work"
"$work/v/bin/pip" show nnterp nnsight | grep -E '^(Name|Version|Requires):'
"$work/v/bin/python" - <<'END'
from importlib.metadata import requires

asked = [text for text in requires("nnterp") if text.startswith("nnsight")]
try:
    import nnterp
    error = "none"
except ModuleNotFoundError as failed:
    error = str(failed)
print(f"nnterp asks for {asked}; import nnterp: {error}")
raise SystemExit(0 if error == "No module named 'nnsight.intervention.tracing'" else 1)
END
