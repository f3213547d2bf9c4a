"""Certified decisions of some claims in Python, on rows of a recording, beside those of `claims`.

usage: decisions.py RECORDING --claims PROGRAM [--rows R] [--rows-of-iv R]

Each claim is decided on rows at evenly spaced places of the recording: by balls of python-flint's
arb, on a part of them by intervals of mpmath's iv, at 64 bits and, while they overlap, at 128, 256
and 512; and by `claims eval` from the same exact input. Prints for each claim how many cases were
decided, how many verdicts differ, and the seconds of processor a case; 1 where a verdict differs.
"""

from __future__ import annotations

import argparse
import itertools
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import torch

from arithmetic import Arithmetic, Balls, Intervals, Number
from gradient import softmax_norm
from recording import read_heads, refuse

BITS = (64, 128, 256, 512)
SELECTED, DRAWN = 5, 8  # N of Theorem 1 and of Theorem 2


class Case(NamedTuple):
    """A row: exact logits, T and embeddings."""

    logits: list[float]
    temperature: float
    embeddings: list[list[float]]

    def largest(self, count: int) -> list[int]:
        """The tokens of the largest logits, of tied ones the first."""
        return sorted(range(len(self.logits)), key=lambda i: -self.logits[i])[:count]

    def quotients(self) -> list[Fraction]:
        """Weights of sum 1 next to softmax, as exact quotients."""
        weights = (torch.tensor(self.logits, dtype=torch.double) / self.temperature).softmax(0)
        whole = [round(a * 2**60) for a in weights.tolist()]
        return [Fraction(n, sum(whole)) for n in whole]


Sides = tuple[Number, Number]


def exponentials(do: Arithmetic, case: Case) -> list[Number]:
    """exp((l_i - max l)/T)."""
    top, t = do.number(max(case.logits)), do.number(case.temperature)
    return [do.exp((do.number(x) - top) / t) for x in case.logits]


def weights_of(do: Arithmetic, case: Case) -> list[Number]:
    """The softmax."""
    powers = exponentials(do, case)
    total = sum(powers)
    return [power / total for power in powers]


def norm(do: Arithmetic, case: Case) -> list[Number]:
    """A lower and an upper bound of T ||J||. A guess in double is moved to either side, and the
    sign of sum_i a_i^2/(a_i - t) - 1 shows on which side of the root it is."""
    a = weights_of(do, case)
    first, second = case.largest(2)
    bounds = [a[second], a[first] * (1 - a[first] + a[second])]
    row = torch.tensor(case.logits, dtype=torch.double) / case.temperature
    guess = float(softmax_norm(row.softmax(0)))
    one = do.number(1)
    for side, factor in enumerate((1 - 2.0**-40, 1 + 2.0**-40)):
        t = do.number(guess * factor)
        if not (do.less(a[second], t) and do.less(t, a[first])):
            continue
        total = sum(x * x / (x - t) for x in a)
        if do.less(total, one) if side == 0 else do.less(one, total):
            bounds[side] = t
    return bounds


def lemma1_lower(do: Arithmetic, case: Case) -> tuple[Sides, Sides]:
    """m/(M L) <= min_i a_i."""
    bound = do.number(max(map(abs, case.logits))) / do.number(case.temperature)
    lhs = do.exp(-2 * bound) / len(case.logits)
    rhs = weights_of(do, case)[min(range(len(case.logits)), key=case.logits.__getitem__)]
    return (lhs, lhs), (rhs, rhs)


def lemma2(do: Arithmetic, case: Case) -> tuple[Sides, Sides]:
    """||J|| <= max|F'| (1/(L min F) + max F/(L (min F)^2)), F = exp(l/T)."""
    t, count = do.number(case.temperature), len(case.logits)
    spread = do.exp((do.number(min(case.logits)) - do.number(max(case.logits))) / t)
    rhs = (1 / (count * spread) + 1 / (count * spread * spread)) / t
    low, high = norm(do, case)
    return (low / t, high / t), (rhs, rhs)


def corollary3(do: Arithmetic, case: Case) -> tuple[Sides, Sides]:
    """||J|| <= min{1/(4T), sqrt 2}."""
    t = do.number(case.temperature)
    low, high = norm(do, case)
    rhs = -do.largest([-1 / (4 * t), -do.sqrt(do.number(2))])
    return (low / t, high / t), (rhs, rhs)


def theorem1_fixed(do: Arithmetic, case: Case) -> tuple[Sides, Sides]:
    """D <= (1-A) d1 + X (A (L-N) - (1-A))."""
    a = weights_of(do, case)
    x = [[do.number(v) for v in row] for row in case.embeddings]
    inside = case.largest(SELECTED)
    outside = [i for i in range(len(a)) if i not in inside]
    s = [sum(a[j] * x[j][k] for j in inside) for k in range(len(x[0]))]
    distance = sum(
        do.sqrt(sum((a[i] * v - c) ** 2 for v, c in zip(x[i], s, strict=True))) for i in outside
    )
    pairs = itertools.product(outside, inside)
    spread = do.largest(
        sum((v - w) ** 2 for v, w in zip(x[i], x[j], strict=True)) for i, j in pairs
    )
    radius = do.largest(sum(v * v for v in x[j]) for j in inside)
    mass, lost = sum(a[j] for j in inside), sum(a[i] for i in outside)
    bound = lost * do.sqrt(spread) + do.sqrt(radius) * (mass * len(outside) - lost)
    return (distance, distance), (bound, bound)


def theorem2_lower(do: Arithmetic, case: Case) -> tuple[Sides, Sides]:
    """1 - (1/(r N)) sum_{i in I} xi_i <= E[N_s]/N in R^1, R = 1, r half of the selected weight."""
    weights = sorted(case.quotients(), reverse=True)[:DRAWN]
    a, r = [do.number(w) for w in weights], do.number(sum(weights) / 2)
    total = sum(a)
    lhs = 1 - sum(total - x for x in a) / (r * DRAWN)
    least = most = 0
    for signs in itertools.product((1, -1), repeat=DRAWN - 1):
        y = [a[0], *(sign * x for sign, x in zip(signs, a[1:], strict=True))]
        s = sum(y)
        for x in y:
            offset = s - x
            is_beyond = do.less(r, offset) or do.less(offset, -r)
            most += not is_beyond
            least += do.less(-r, offset) and do.less(offset, r)
    count = DRAWN * 2 ** (DRAWN - 1)
    return (lhs, lhs), (do.number(Fraction(least, count)), do.number(Fraction(most, count)))


CLAIMS: dict[str, Callable[[Arithmetic, Case], tuple[Sides, Sides]]] = {
    "lemma1.lower": lemma1_lower,
    "lemma2": lemma2,
    "corollary3": corollary3,
    "theorem1.fixed": theorem1_fixed,
    "theorem2.lower": theorem2_lower,
}


def decide(do: Arithmetic, claim: str, case: Case) -> str:
    """holds, violated or undecided."""
    for bits in BITS:
        do.set_bits(bits)
        (low, high), (low_bound, high_bound) = CLAIMS[claim](do, case)
        if do.less(high, low_bound):
            return "holds"
        if do.less(high_bound, low):
            return "violated"
    return "undecided"


def cases_of(recording: Path, count: int) -> list[Case]:
    """Rows of more tokens than N, at evenly spaced places of the recording."""
    cases = []
    for heads in read_heads(recording):
        for logits, values in zip(heads.logits, heads.values, strict=True):
            for row in range(max(SELECTED, DRAWN), len(logits)):
                tokens = row + 1
                cases.append((logits[row, :tokens], heads.temperature, values[:tokens]))
    step = max(1, len(cases) // count)
    return [Case(z.tolist(), t, x.tolist()) for z, t, x in cases[step // 2 :: step][:count]]


def exact(numbers: list[float]) -> list[str]:
    """Doubles as exact decimals."""
    return [str(Decimal(x)) for x in numbers]


def as_json(claim: str, case: Case) -> dict[str, object]:
    """A case as `claims eval` reads it."""
    if claim == "theorem2.lower":
        weights = case.quotients()
        r = str(sum(sorted(weights, reverse=True)[:DRAWN]) / 2)
        sphere = {"N": DRAWN, "M": "1", "r": r, "delta": "0", "dimension": 1}
        return {"claim": claim, "case": {"weights": [str(w) for w in weights], **sphere}}
    of = {"logits": exact(case.logits), "temperature": exact([case.temperature])[0]}
    if claim == "theorem1.fixed":
        of |= {"embeddings": [exact(row) for row in case.embeddings], "N": SELECTED}
    return {"claim": claim, "case": of}


def spent_by_children() -> float:
    """Seconds of processor."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def decide_by(program: Path, claim: str, cases: list[Case]) -> tuple[list[str], float]:
    """The verdicts of `claims eval`, and its seconds."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump([as_json(claim, case) for case in cases], file)
        file.flush()
        before = spent_by_children()
        done = subprocess.run([program, "eval", file.name], capture_output=True, text=True)
        seconds = spent_by_children() - before
    if done.returncode not in (0, 1, 3):
        refuse(f"{program} eval ended with {done.returncode}: {done.stderr.strip()}")
    return [entry["verdict"] for entry in json.loads(done.stdout)], seconds


def decided(
    recording: Path, program: Path, count: int, count_of_iv: int
) -> Iterator[dict[str, object]]:
    """An entry for each claim and arithmetic."""
    cases = cases_of(recording, count)
    for claim in CLAIMS:
        ours, seconds = decide_by(program, claim, cases)
        for do, most in ((Balls(), count), (Intervals(), count_of_iv)):
            step = max(1, len(cases) // most)
            before = time.process_time()
            found = [decide(do, claim, case) for case in cases[::step]]
            peer = time.process_time() - before
            yield {
                "claim": claim,
                "arithmetic": do.name,
                "cases": len(found),
                "decided": len(found) - found.count("undecided"),
                "violated": found.count("violated"),
                "differ": sum(x != y for x, y in zip(found, ours[::step], strict=True)),
                "ours": seconds / len(cases),
                "peer": peer / len(found),
            }


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recording", type=Path)
    parser.add_argument("--claims", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--rows-of-iv", type=int, default=20)
    options = parser.parse_args()
    if not options.claims.is_file():
        refuse(f"no program at {options.claims}: build the target claims")
    torch.set_num_threads(1)
    entries = []
    for entry in decided(options.recording, options.claims, options.rows, options.rows_of_iv):
        entries.append(entry)
        print(json.dumps(entry), flush=True)
    sys.exit(any(entry["differ"] for entry in entries))


if __name__ == "__main__":
    main()
