"""The paper's five experiments in torch, of a recording of causal attention.

usage: experiments.py RECORDING --out NUMBERS.json [--threads N] [--seed S]

For every head and every row that sees two keys or more, with the first token and without, as
`gpt2_check run` measures them (gpt2_check/README.md, "The paper's experiments"): D, Theorem 1's
bound, N_s/N with Theorem 2's bounds and beside random sets, ||J|| and g(T, epsilon); on the last
rows of each length E by random sets, its lower bound and the sum in full; on the last row of each
the critical N.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import defaultdict
from pathlib import Path

import torch
from torch import Tensor

from distance import critical_n, last_rows, sweep
from gradient import COLD, STEPS, measure_gradient
from recording import Heads, read_heads
from selection import Rows, random_shares, select

LENGTHS = (32, 64, 128, 256, 512, 1024)
SHORT_LENGTHS = (4, 8, 16, 32)
DRAWS, DRAWS_OF_LENGTHS = 2, 16
LEVELS = (0.01, 0.05)
READINGS = ("mean", "factor", "full")

Numbers = dict[str, object]


def lengths_of(tokens: int) -> list[int]:
    """The L of the figures."""
    usual = SHORT_LENGTHS if tokens <= LENGTHS[1] else LENGTHS
    return [length for length in usual if length < tokens] + [tokens]


def mean_over(values: Tensor, applies: Tensor) -> Tensor:
    """The mean over the rows that a mask [row] names, [head]."""
    return values[:, applies].mean(-1)


class Measured:
    """What all heads show: numbers of each head, and points of figures with a number of each."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.heads: list[Numbers] = []
        self.points: dict[tuple[str, bool, float, float], dict[str, list[float]]] = defaultdict(
            lambda: defaultdict(list)
        )
        self.sweeps: dict[tuple[int, bool], dict[str, list[Tensor]]] = defaultdict(
            lambda: defaultdict(list)
        )

    def add_point(
        self, kind: str, missing: int, first: float, second: float, of: dict[str, Tensor]
    ) -> None:
        """A point of a figure at two coordinates, of some heads."""
        point = self.points[kind, missing > 0, first, second]
        for name, values in of.items():
            point[name] += values.tolist()

    def add(self, heads: Heads, missing: int, generator: torch.Generator) -> None:
        """Everything of some heads, of which so many tokens are missing."""
        rows = Rows(heads)
        lengths = lengths_of(len(rows.tokens) + missing)
        found = select(rows)
        numbers = self.numbers(heads, missing)
        self.add_shares(rows, found, numbers, missing, lengths, generator)
        for length in lengths:
            if length - missing < 2:
                continue
            some, points, at_quarter = last_rows(rows, length, missing, generator)
            self.add_point("quarter", missing, length, 0, at_quarter)
            for n, point in points.items():
                of_n = found[rows.counts.index(n)]
                point |= {name: of_n[name][:, some].mean(-1) for name in ("distance", "bound")}
                if missing == 0 and (length, n) == (lengths[-1], 5):
                    put(numbers, "distance_at_five", point["distance"])
                self.add_point("distance", missing, length, n, point)
            of_row = sweep(rows, length - missing - 1, generator)
            for name, values in of_row.items():
                self.sweeps[length, missing > 0][name].append(values)
        self.add_gradient(rows, numbers, missing, generator)

    def numbers(self, heads: Heads, missing: int) -> list[Numbers]:
        """The entries of some heads, or of these without the first token."""
        if missing == 0:
            self.heads += [
                {"layer": heads.layer, "head": heads.first_head + h, "without_first": {}}
                for h in range(len(heads.values))
            ]
        own = self.heads[-len(heads.values) :]
        return own if missing == 0 else [of_head["without_first"] for of_head in own]

    def add_shares(
        self,
        rows: Rows,
        found: list[dict[str, Tensor]],
        numbers: list[Numbers],
        missing: int,
        lengths: list[int],
        generator: torch.Generator,
    ) -> None:
        """Experiments 1, 2 and 4 as means over all rows, and of the last row by itself."""
        if missing == 0:
            shown = torch.tensor([length - 1 for length in lengths])
            every = torch.arange(1, len(rows.tokens))
            others = every[~torch.isin(every, shown)]
            usual = random_shares(rows, others, DRAWS, generator)
            special = random_shares(rows, shown, DRAWS_OF_LENGTHS, generator)
            for c, of_n in enumerate(found):
                share = torch.full_like(rows.a[..., 0], math.nan)
                share[:, others], share[:, shown] = usual[c], special[c]
                of_n["random_share"] = share
        beyond = []
        for n, of_n in zip(rows.counts, found, strict=True):
            applies = (rows.tokens > n) & (rows.tokens >= 2)
            last = {name: values[:, -1] for name, values in of_n.items()}
            means = {f"{name}_all_rows": mean_over(v, applies) for name, v in of_n.items()}
            self.add_point("separability", missing, lengths[-1], n, last | means)
            if n > 16:
                beyond.append(means["share_all_rows"])
        put(numbers, "n", torch.full((len(numbers),), float(n)))
        for name in ("distance", "share", "f_score", "random_share"):
            if name in of_n:
                put(numbers, name, means[f"{name}_all_rows"])
        ratio = of_n["distance"] / of_n["bound"]
        put(numbers, "distance_over_bound", mean_over(ratio, applies))
        put(numbers, "sink_share", rows.a[:, 1:, 0].mean(-1))
        if missing == 0 and beyond:
            put(numbers, "share_beyond_16", torch.stack(beyond).mean(0))

    def add_gradient(
        self, rows: Rows, numbers: list[Numbers], missing: int, generator: torch.Generator
    ) -> None:
        """Experiment 5."""
        found = measure_gradient(rows.logits, rows.seen, rows.temperature, generator)
        put(numbers, "largest_t_norm", found[rows.temperature]["t_norm"].amax(-1))
        cold = [t for t in found if t < COLD]
        if missing == 0:
            largest = torch.stack([found[t]["t_norm"].amax(-1) for t in cold]).amax(0)
            at_cold = found[COLD]["t_norm"] / COLD
            steeper = [(found[t]["t_norm"] / t > at_cold).double().mean(-1) for t in cold]
            put(numbers, "largest_cold_t_norm", largest)
            put(numbers, "colder", torch.stack(steeper).mean(0))
        for t, at in found.items():
            of = {"mean_t_norm": at["t_norm"].mean(-1), "largest_t_norm": at["t_norm"].amax(-1)}
            for k, epsilon in enumerate(STEPS):
                of |= {f"{name} {epsilon}": at[name][:, k] for name in ("random", "top")}
            self.add_point("gradient", missing, t, 0, of)

    def critical(self) -> list[Numbers]:
        """Experiment 3: the critical N of each length and reading at each level."""
        found = []
        for (length, without_first), sweeps in self.sweeps.items():
            of = {name: torch.cat(values) for name, values in sweeps.items()}
            for reading in READINGS:
                for level in LEVELS:
                    n = critical_n(of["distance"], of[reading], level)
                    at = {"length": length, "without_first": without_first, "reading": reading}
                    found.append(at | {"level": level, "n": n})
        return found


def put(numbers: list[Numbers], name: str, values: Tensor) -> None:
    """A number of each head."""
    for of_head, value in zip(numbers, values.tolist(), strict=True):
        of_head[name] = value


def measure(recording: Path, seed: int) -> Numbers:
    """The five experiments on every head of a recording."""
    generator = torch.Generator().manual_seed(seed)
    measured = Measured()
    for heads in read_heads(recording):
        measured.add(heads, 0, generator)
        if heads.logits.shape[-1] >= 3:
            measured.add(heads.without_first_token(), 1, generator)
    points = [
        {"kind": kind, "without_first": without_first, "at": at, "second": second, "by_head": of}
        for (kind, without_first, at, second), of in measured.points.items()
    ]
    return {"heads": measured.heads, "points": points, "critical_n": measured.critical()}


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recording", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.set_default_dtype(torch.double)
    torch.set_num_threads(options.threads)
    with torch.inference_mode():
        options.out.write_text(json.dumps(measure(options.recording, options.seed)))


if __name__ == "__main__":
    main()
