"""What the tests share: the paths, and the programs that they run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

RECORD = Path(__file__).resolve().parent.parent
ROOT = RECORD.parent.parent
sys.path.insert(0, str(RECORD))
GPT2_CHECK = os.environ["ATTN_GPT2_CHECK"]


def check(out: Path, *arguments: str) -> dict[str, Any]:
    """The report of `gpt2_check run`, which must say that all is as expected."""
    command = [GPT2_CHECK, "run", *arguments, "--threads", "1", "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):  # 3: rows that a recording does not cover
        raise AssertionError(f"{' '.join(command)}: exit {done.returncode}: {done.stderr}")
    report: dict[str, Any] = json.loads((out / "report.json").read_text())
    return report


def corollary3_of(report: dict[str, Any]) -> tuple[int, int]:
    """Of how many rows of a report ||J|| > 1/(4T), and of how many it was decided."""
    claim = next(claim for claim in report["claims"] if claim["id"] == "corollary3")
    return claim["violated"], claim["cases"]


def record_py(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs record.py as a user does."""
    command = [sys.executable, str(RECORD / "record.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def python_blocks(page: Path) -> list[str]:
    """The blocks of Python of a page."""
    return re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
