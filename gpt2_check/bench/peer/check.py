"""Compares the peer's numbers with those of `gpt2_check run` on the same recording.

usage: check.py NUMBERS.json REPORT.json

NUMBERS.json is of experiments.py. What both compute from the same numbers must agree within
rounding; what both sample, by random numbers of their own, within what sampling explains. Prints
how far each number is off at most, and ends with 1 where one is off by more than it may be.
"""

from __future__ import annotations

import json
import math
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

Numbers = dict[str, Any]

# Sums in another order: relative to the larger of both.
ROUNDING = 1e-9
# A number below has lost digits to underflow.
LEAST_SCALE = 1e-290
# Shares, of 1: a token or a row that ties but for rounding counts on one side alone.
ONE_TOKEN = 2e-3
# Means over the heads of random sets: so much, and so much over the root of the number of heads. E
# is relative, a share of 1.
SAMPLED_E, SAMPLED_SHARE = (0.05, 0.5), (0.01, 0.15)
# The critical N of E sampled: relative, and 2; of fewer heads it says too little to compare.
SAMPLED_CRITICAL, ENOUGH_HEADS = 0.25, 20
# A difference of two softmaxes has no digits of g(T, epsilon) far below this.
SMALL_STEP = 1e-3

ROUNDED_OF_HEAD = (
    "distance",
    "distance_at_five",
    "distance_over_bound",
    "sink_share",
    "largest_t_norm",
    "largest_cold_t_norm",
)
SHARES_OF_HEAD = ("share", "share_beyond_16", "f_score", "colder")
# Below so many tokens the report compares fewer rows.
LEAST_JUDGED = 32
# What the report gives of two heads or more.
OF_SEVERAL = ("largest_cold_t_norm", "share_beyond_16", "colder")
ROUNDED = ("distance", "bound", "expected_factor", "expected_full")
ROUNDED_BOUNDS = ("lower_bound", "lower_bound_sharp", "upper_bound")
SHARES = ("share", "share_all_rows", "between_bounds_all_rows")


class Comparison:
    """What was compared, by name: how often, how far off at most, and what was allowed."""

    def __init__(self, heads: int) -> None:
        """Nothing yet, of so many heads."""
        self.heads = heads
        self.counts: dict[str, int] = defaultdict(int)
        self.worst: dict[str, tuple[float, float]] = {}
        self.failures: list[str] = []

    def add(
        self, name: str, where: str, peer: float, ours: float | None, allowed: float, scale: float
    ) -> None:
        """Two numbers that may be off by so much times a scale."""
        self.counts[name] += 1
        off = math.inf if ours is None else abs(peer - ours) / max(scale, LEAST_SCALE)
        if not off <= allowed:
            self.failures.append(f"{where}: {name} is {peer} here and {ours} in the report")
        self.worst[name] = max(self.worst.get(name, (0.0, allowed)), (off, allowed))

    def rounded(self, name: str, where: str, peer: float, ours: float | None) -> None:
        """Two numbers that rounding alone tells apart."""
        self.add(name, where, peer, ours, ROUNDING, max(abs(peer), abs(ours or 0)))

    def shares(self, name: str, where: str, peer: float, ours: float | None) -> None:
        """Two shares that ties alone tell apart."""
        self.add(name, where, peer, ours, ONE_TOKEN, 1)

    def sampled(self, of: tuple[float, float]) -> float:
        """What sampling explains."""
        return of[0] + of[1] / math.sqrt(self.heads)


def compare_heads(heads: list[Numbers], report: list[Numbers], to: Comparison) -> None:
    """The numbers of each head, and of each without its first token."""
    places = [[(h["layer"], h["head"]) for h in some] for some in (heads, report)]
    if places[0] != places[1]:
        to.failures.append(f"{len(heads)} heads here are not the {len(report)} of the report")
        return
    for peer, ours in zip(heads, report, strict=True):
        where = f"layer {peer['layer']} head {peer['head']}"
        pairs = [(where, peer, ours)]
        if peer["without_first"]:
            rest = ours.get("without_first", {})
            pairs.append((f"{where} without its first token", peer["without_first"], rest))
        for place, mine, other in pairs:
            for name in mine.keys() - set(OF_SEVERAL if to.heads == 1 else ()):
                if name in ROUNDED_OF_HEAD:
                    to.rounded(f"{name} of a head", place, mine[name], other.get(name))
                if name in SHARES_OF_HEAD:
                    to.shares(f"{name} of a head", place, mine[name], other.get(name))


def mean(values: list[float]) -> float:
    """The mean."""
    return math.fsum(values) / len(values)


def compare_distances(mine: Numbers, point: Numbers, where: str, to: Comparison) -> None:
    """A point of experiments 1 and 2."""
    for name in ROUNDED:
        to.rounded(f"mean {name}", where, mean(mine[name]), point[name]["mean"])
    peer, ours = mean(mine["expected"]), point["expected"]["mean"]
    to.add("mean E, sampled", where, peer, ours, to.sampled(SAMPLED_E), max(peer, ours))


def compare_shares(mine: Numbers, point: Numbers, where: str, to: Comparison) -> None:
    """A point of experiment 4."""
    for name in ROUNDED_BOUNDS:
        to.rounded(f"mean {name}", where, mean(mine[name]), point[name]["mean"])
    for name in SHARES:
        to.shares(f"mean {name}", where, mean(mine[name]), point[name]["mean"])
    if "random_share_all_rows" in mine:
        peer, ours = (
            mean(mine["random_share_all_rows"]),
            point["random_share_all_rows"]["mean"],
        )
        to.add("mean share of random sets", where, peer, ours, to.sampled(SAMPLED_SHARE), 1)


def compare_gradient(mine: Numbers, point: Numbers, where: str, to: Comparison) -> None:
    """A point of experiment 5; steps along random signs are not compared."""
    to.rounded("mean T||J||", where, mean(mine["mean_t_norm"]), point["mean_t_norm"])
    to.rounded("largest T||J||", where, max(mine["largest_t_norm"]), point["largest_t_norm"])
    for step in point["step"]:
        if step["direction"] == "top":
            peer, ours = max(mine[f"top {step['epsilon']}"]), step["largest"]
            scale = max(peer, ours, SMALL_STEP)
            to.add("largest g(T, epsilon)", where, peer, ours, ROUNDING, scale)


def compare_points(points: list[Numbers], figures: Numbers, to: Comparison) -> None:
    """The points of the figures, each of which must be here."""
    mine = {(p["kind"], p["without_first"], p["at"], p["second"]): p["by_head"] for p in points}
    for figure, kind, fields, comparing in (
        ("distance_by_length", "distance", ("length", "n"), compare_distances),
        ("distance_by_n", "distance", ("length", "n"), compare_distances),
        ("separability", "separability", ("length", "n"), compare_shares),
        ("gradient", "gradient", ("temperature",), compare_gradient),
    ):
        if not figures[figure]:
            to.failures.append(f"the report has no points of {figure}")
        for point in figures[figure]:
            at = [point[field] for field in fields] + [0]
            key = (kind, point["without_first"], at[0], at[1])
            if key in mine:
                comparing(mine[key], point, str(key), to)
            else:
                to.failures.append(f"the report has a point {key} that is not here")


def compare_quarters(points: list[Numbers], abstract: list[Numbers], to: Comparison) -> None:
    """D and E at N = L/4, which the report has of the lengths that it judges."""
    mine = {
        p["at"]: p["by_head"] for p in points if p["kind"] == "quarter" and not p["without_first"]
    }
    judged = next(entry for entry in abstract if entry["id"] == "distance").get("points", [])
    if to.heads == 1 or not judged or judged[0]["length"] < LEAST_JUDGED:
        return
    for point in judged:
        where = f"N = L/4 of L = {point['length']}"
        of = mine[point["length"]]
        to.rounded("mean D at L/4", where, mean(of["distance"]), point["distance"])
        peer, ours = mean(of["expected"]), point["expected"]
        to.add("mean E at L/4, sampled", where, peer, ours, to.sampled(SAMPLED_E), max(peer, ours))


def compare_critical(points: list[Numbers], figures: Numbers, to: Comparison) -> None:
    """The critical N; a test of four heads or fewer finds none."""
    fields = ("length", "without_first", "reading", "level")
    ours = {tuple(p[field] for field in fields): p["n"] for p in figures["critical_n"]}
    for point in points if to.heads > 4 else []:
        where = tuple(point[field] for field in fields)
        peer, other = point["n"], ours.get(where)
        name = f"critical N, {point['reading']}"
        if point["reading"] != "mean":
            to.add(name, str(where), peer or 0, other or 0, 0, 1)
        elif to.heads >= ENOUGH_HEADS and peer is not None and other is not None:
            allowed = 2 + SAMPLED_CRITICAL * max(peer, other)
            to.add(name, str(where), peer, other, allowed, 1)


def compare(numbers: Numbers, report: Numbers) -> Comparison:
    """Everything."""
    measured = report["gpt2"]
    found = Comparison(len(measured["heads"]))
    compare_heads(numbers["heads"], measured["heads"], found)
    compare_points(numbers["points"], measured["figures"], found)
    compare_quarters(numbers["points"], measured["abstract"], found)
    compare_critical(numbers["critical_n"], measured["figures"], found)
    return found


def main() -> None:
    """Reads the command line."""
    if len(sys.argv) != 3:
        sys.exit("usage: check.py NUMBERS.json REPORT.json")
    numbers, report = (json.loads(Path(path).read_text()) for path in sys.argv[1:])
    found = compare(numbers, report)
    for name, count in found.counts.items():
        off, allowed = found.worst[name]
        print(f"{name}: {count} compared, off by {off:.1e} at most, {allowed:.1e} allowed")
    for failure in found.failures[:20]:
        print(f"peer: {failure}", file=sys.stderr)
    sys.exit(1 if found.failures else 0)


if __name__ == "__main__":
    main()
