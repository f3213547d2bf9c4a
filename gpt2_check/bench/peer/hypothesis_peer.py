"""How many of the false claims Hypothesis refutes with its defaults, 100 examples each.

usage: hypothesis_peer.py --claims PROGRAM [--seeds S]

Every claim is tried with S seeds. What is found is decided again by `claims eval` from the exact
case, so that no rounding counts. Prints a line for each claim, with the seeds that found a
violation; ends with 1 where a false claim of the program is not among those tried here.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import hypothesis
from hypothesis.errors import FailedHealthCheck, Unsatisfiable

from drawn import Case
from false_claims import FALSE_CLAIMS, FalseClaim

MARGIN = 1e-9  # of the larger side, or of 1: below it a difference may be rounding


class ViolatedError(Exception):
    """A case violates a claim."""


def violation(claim: FalseClaim, seed: int) -> Case | None:
    """A case that violates a claim, if one is among the examples."""
    found: list[Case] = []

    # Of the defaults those are off that make runs depend on the machine and on each other, and the
    # shrinking of what was found.
    @hypothesis.seed(seed)
    @hypothesis.settings(database=None, deadline=None, phases=[hypothesis.Phase.generate])
    @hypothesis.given(claim.cases)
    def holds(case: Case) -> None:
        lhs, rhs = claim.sides(case)
        if lhs > rhs + MARGIN * max(1, abs(lhs), abs(rhs)):
            found.append(case)
            raise ViolatedError

    try:
        holds()
    except ViolatedError:
        return found[-1]
    except (FailedHealthCheck, Unsatisfiable):
        return None
    return None


def exact(value: Any) -> Any:
    """A field as `claims eval` reads it: doubles as exact decimals."""
    if isinstance(value, list):
        return [exact(entry) for entry in value]
    if isinstance(value, float):
        return str(Decimal(value))
    return str(value) if isinstance(value, Fraction) else value


def verdicts(program: Path, cases: list[tuple[str, Case]]) -> list[str]:
    """What `claims eval` says of some cases."""
    text = json.dumps(
        [
            {"claim": name, "case": {field: exact(v) for field, v in case.items()}}
            for name, case in cases
        ]
    )
    done = subprocess.run([program, "eval", "-"], input=text, capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"peer: {program} eval ended with {done.returncode}: {done.stderr.strip()}")
    return [entry["verdict"] for entry in json.loads(done.stdout)]


def tried(program: Path, seeds: int) -> Iterator[dict[str, object]]:
    """An entry for each claim."""
    for name, claim in FALSE_CLAIMS.items():
        before = time.process_time()
        cases = {seed: violation(claim, seed) for seed in range(1, seeds + 1)}
        seconds = time.process_time() - before
        found = {seed: case for seed, case in cases.items() if case is not None}
        said = verdicts(program, [(name, case) for case in found.values()]) if found else []
        by = [seed for seed, verdict in zip(found, said, strict=True) if verdict == "violated"]
        yield {
            "claim": name,
            "found_by": by,
            "not_confirmed": len(found) - len(by),
            "seconds": seconds / seeds,
        }


def refuted(program: Path) -> set[str]:
    """The false claims of the program."""
    done = subprocess.run([program, "list", "--json"], capture_output=True, text=True, check=True)
    return {claim["id"] for claim in json.loads(done.stdout) if claim["status"] == "refuted"}


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--claims", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    if not options.claims.is_file():
        sys.exit(f"peer: no program at {options.claims}: build the target claims")
    for entry in tried(options.claims, options.seeds):
        print(json.dumps(entry), flush=True)
    if missing := refuted(options.claims) - FALSE_CLAIMS.keys():
        sys.exit(f"peer: false claims that are not tried here: {', '.join(sorted(missing))}")


if __name__ == "__main__":
    main()
