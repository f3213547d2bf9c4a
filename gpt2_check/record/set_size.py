"""Experiment 6 of a causal language model: how many tokens a query must keep (arXiv 2609.37879).

At every layer, head and query the first N tokens of a ranking are kept and the weights of the
others set to 0, and the loss is measured against N. What is measured, and how, is what gpt2_check
measures of a checkpoint of GPT-2's architecture; its report takes the result from the recording.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attention import Attention, Unsupported, watch

FEWEST = 16  # tokens of the longest context: the shortest, a quarter, has targets
SHORT = 256  # tokens of a context up to which no more than the first orders are drawn
TOLERANCES = (0.01, 0.05, 0.1)  # by how much of itself the loss may grow
FIRST_ORDERS = 4  # random orders at least, where so many may be drawn
MOST_LOGITS = 1 << 27  # numbers of one pass: so many copies of the text are read at once


@dataclass(frozen=True)
class Way:
    """By what the tokens of a query are ranked, and what becomes of the kept weights.

    Attributes:
        ranking: `weight`, a_i; `contribution`, a_i ||v_i||; `random`, an order drawn for each head,
            after which the words say that the first token or the query's own come first in it, and
            the other last.
        renormalized: the kept weights are divided by their sum; else they stay.
    """

    ranking: str
    renormalized: bool = False

    @property
    def is_random(self) -> bool:
        """Whether the order is drawn."""
        return self.ranking.startswith("random")


# Which of the first token and the query's own come first in a random order; the other comes last.
HELD = {
    "random with the first token and its own": (True, True),
    "random with the first token": (True, False),
    "random with its own token": (False, True),
    "random without the first token and its own": (False, False),
}
RANDOM = (Way("random"), *(Way(ranking) for ranking in HELD))
WAYS = (Way("weight"), Way("weight", renormalized=True), Way("contribution"), *RANDOM)


def _random_scores(way: Way, call: Attention, seeds: list[int], layer: int) -> Tensor:
    """[batch, head, query, key]: the order of a head, which does not depend on N nor on the query
    but by its own token; -1 where it does not see the key."""
    batch, heads, queries, keys = call.weights.shape
    orders = []
    for seed in seeds:
        generator = torch.Generator().manual_seed((seed << 16) + layer)
        orders.append(torch.rand(heads, keys, generator=generator).argsort(-1).float())
    scores = torch.stack(orders)[:, :, None].to(call.weights.device)
    scores = scores.expand(batch, heads, queries, keys).clone()
    if way.ranking in HELD:
        first, own = (2.0 * keys if held else -2.0 * keys for held in HELD[way.ranking])
        scores[..., 0] += first
        index = torch.arange(1, queries, device=scores.device)
        scores[:, :, index, index] += own
        scores += 4 * keys
    return scores.masked_fill(~call.visible(), -1.0)


def _scores(way: Way, call: Attention, seeds: list[int], layer: int) -> Tensor:
    """[batch, head, query, key]: what the tokens are ranked by."""
    if way.is_random:
        return _random_scores(way, call, seeds, layer)
    if way.ranking == "weight":
        return call.weights
    group = call.weights.shape[1] // call.value.shape[1]
    lengths: Tensor = call.value.norm(dim=-1).repeat_interleave(group, 1)
    return call.weights * lengths[:, :, None]


def _largest(scores: Tensor, n: Tensor) -> Tensor:
    """Booleans: the n [batch, head, query, 1] largest of [batch, head, query, key], of equal ones
    the first."""
    scores = scores.to(torch.promote_types(torch.float32, scores.dtype))  # numpy has no bfloat16
    # numpy sorts rows on the CPU ten times as fast as torch.
    rows = torch.from_numpy(np.sort(scores.cpu().numpy())).to(scores)
    least = rows.gather(-1, scores.shape[-1] - n)
    reach = scores >= least
    if int(reach.sum()) == int(n.sum()):
        return reach  # no ties
    above, equal = scores > least, scores == least
    return above | (equal & (equal.cumsum(-1) <= n - above.sum(-1, keepdim=True)))


def keep(way: Way, call: Attention, counts: list[int], seeds: list[int], layer: int) -> Tensor:
    """[batch, head, query, key]: the weights, with all but the first of the ranking 0. `counts`: N
    of each sequence of the batch; `seeds`: of their random orders. Of equal tokens the earlier
    comes first; a query that sees N tokens or fewer keeps all."""
    scores = _scores(way, call, seeds, layer)
    n = torch.tensor([min(count, scores.shape[-1]) for count in counts], device=scores.device)
    n = n[:, None, None, None].expand(*scores.shape[:-1], 1)
    kept = call.weights * _largest(scores, n)
    if way.renormalized:
        total = kept.sum(-1, keepdim=True)
        renormalized = kept / torch.where(total > 0, total, torch.ones_like(total))
        sees_more = call.visible().sum(-1, keepdim=True) > n
        kept = torch.where(sees_more, renormalized, kept)
    return kept


def standard_error(values: list[float]) -> float:
    """That of the mean of independent values of one distribution, at least two."""
    return float(np.std(values, ddof=1)) / len(values) ** 0.5


def are_enough_orders(growths: list[float]) -> bool:
    """Whether no further random order is drawn after those of these relative growths: four or more,
    whose mean has a standard error of no more than a quarter of its distance to the nearest
    tolerance."""
    if len(growths) < FIRST_ORDERS:
        return False
    mean = sum(growths) / len(growths)
    distance = min(abs(mean - tolerance) for tolerance in TOLERANCES)
    return standard_error(growths) <= distance / 4


class Losses:
    """The losses of a model on the last `length` tokens of a text, each pass made once."""

    def __init__(
        self, model: Any, ids: list[int], length: int, show: Callable[[int], None]
    ) -> None:
        """`show` is told of how many copies of the text each pass was."""
        self.length = length
        self._model, self._ids, self._show = model, torch.tensor(ids[-length:]), show
        self._passes: dict[tuple[Way, int, int] | None, Tensor] = {}

    def whole(self, targets: int) -> float:
        """The mean loss of the last tokens where all are kept, in nats."""
        if None not in self._passes:
            self._passes[None] = self._run(lambda call, _: call.weights, 1)[0]
        return float(self._passes[None][-targets:].mean())

    def growths(self, way: Way, n: int, orders: list[int], targets: int) -> list[float]:
        """By how much of itself the mean loss grows where every query keeps N tokens: for each of
        the orders' seeds, up to the one after which they are enough."""
        if n >= self.length:
            return [0.0]
        found: list[float] = []
        for seed in orders:
            self.prepare(way, [n], [seed])
            loss = float(self._passes[way, n, seed][-targets:].mean())
            found.append(loss / self.whole(targets) - 1)
            if are_enough_orders(found):
                break
        return found

    def prepare(self, way: Way, counts: list[int], orders: list[int]) -> None:
        """Makes the passes for several N, as many at once as memory is meant for."""
        wanted = [(n, seed) for n in counts for seed in orders if n < self.length]
        wanted = [(n, seed) for n, seed in wanted if (way, n, seed) not in self._passes]
        vocabulary = self._model.get_input_embeddings().num_embeddings
        size = max(1, MOST_LOGITS // (self.length * vocabulary))
        for start in range(0, len(wanted), size):
            part = wanted[start : start + size]
            counts_of, seeds = [n for n, _ in part], [seed for _, seed in part]

            def visit(
                call: Attention, layer: int, n: list[int] = counts_of, s: list[int] = seeds
            ) -> Tensor:
                return keep(way, call, n, s, layer)

            for key, losses in zip(part, self._run(visit, len(part)), strict=True):
                self._passes[(way, *key)] = losses

    def _run(self, visit: Callable[[Attention, int], Tensor], copies: int) -> list[Tensor]:
        """[token - 1] of each copy: -ln p of every token but the first, given those before it."""
        layer = -1

        def counted(call: Attention) -> Tensor:
            nonlocal layer
            layer += 1
            return visit(call, layer)

        tokens = self._ids.to(self._model.device).expand(copies, -1)
        output = watch(self._model, counted, input_ids=tokens, use_cache=False)
        self._show(copies)
        return [
            torch.nn.functional.cross_entropy(logits[:-1].double(), ids[1:], reduction="none").cpu()
            for logits, ids in zip(output.logits, tokens, strict=True)
        ]


def least_tested(
    grid: list[int], tolerance: float, bisects: bool, growth: Callable[[int], float]
) -> int:
    """The least N tested at which the loss grows by no more than `tolerance`: of the ascending
    `grid`, then by bisection below it, then of the three below that, for a loss need not be
    monotone."""
    place = next((i for i, n in enumerate(grid) if growth(n) <= tolerance), len(grid) - 1)
    enough = grid[place]
    if not bisects:
        return enough
    too_few = grid[place - 1] if place > 0 else 0
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        if growth(middle) <= tolerance:
            enough = middle
        else:
            too_few = middle
    below = [n for n in range(max(enough - 3, 1), enough) if growth(n) <= tolerance]
    return min([enough, *below])


def _point(n: int, growths: list[float]) -> dict[str, Any]:
    """A point of a curve, as the report has it."""
    point = {"n": n, "relative": sum(growths) / len(growths)}
    if len(growths) > 1:
        point |= {"orders": len(growths), "standard_error": standard_error(growths)}
    return point


def _curve(losses: Losses, way: Way, orders: list[int], targets: int) -> dict[str, Any]:
    """A curve, as the report has it."""
    grid = [1 << i for i in range((losses.length - 1).bit_length())] + [losses.length]
    seeds = orders if way.is_random else [0]

    def growths(n: int, drawn: int = len(seeds)) -> list[float]:
        return losses.growths(way, n, seeds[:drawn], targets)

    losses.prepare(way, grid, seeds[:FIRST_ORDERS])
    for drawn in range(FIRST_ORDERS, len(seeds)):  # of all N at once
        waiting = [n for n in grid[:-1] if not are_enough_orders(growths(n, drawn))]
        losses.prepare(way, waiting, seeds[drawn : drawn + 1])
    tested = {n: _point(n, growths(n)) for n in grid}

    def growth(n: int) -> float:
        point = tested.setdefault(n, _point(n, growths(n)))
        return float(point["relative"])

    needs = [
        {"tolerance": tolerance, "n": least_tested(grid, tolerance, not way.is_random, growth)}
        for tolerance in TOLERANCES
    ]
    return {
        "length": losses.length,
        "targets": targets,
        "ranking": way.ranking,
        "renormalized": way.renormalized,
        **({"orders": len(seeds)} if way.is_random else {}),
        "loss": losses.whole(targets),
        "losses": [tested[n] for n in sorted(tested)],
        "needs": needs,
    }


def measure_set_sizes(
    model: Any, ids: list[int], longest: int, show: Callable[[int], None] = lambda _: None
) -> dict[str, Any]:
    """The losses of a causal language model on the last tokens of a text, against N, as the report
    has them: in contexts of a quarter, a half and all of `longest` tokens, which end together and
    are judged by the same last eighth, where the largest weights are kept; in the longest of all
    its tokens for every ranking. Random orders are 4 up to 256 tokens, else up to 16, as
    are_enough_orders() says. Raises Unsupported for a model that predicts no next token."""
    if not (hasattr(model, "can_generate") and model.can_generate()) or getattr(
        model.config, "is_encoder_decoder", False
    ):
        raise Unsupported(f"{type(model).__name__}: no causal language model: it has no loss")
    longest = min(longest, len(ids))
    if longest < FEWEST:
        raise Unsupported(f"experiment 6: {longest} tokens, expected {FEWEST} or more")
    lengths = [longest // 4, longest // 2, longest]
    targets = longest // 8
    curves = []
    for length in lengths:
        losses = Losses(model, ids, length, show)
        curves.append(_curve(losses, Way("weight"), [0], targets))
        if length == longest:
            orders = list(range(FIRST_ORDERS if longest <= SHORT else 16))
            curves += [_curve(losses, way, orders, length - 1) for way in WAYS]
    return {"windows": 1, "curves": curves, "errors": []}
