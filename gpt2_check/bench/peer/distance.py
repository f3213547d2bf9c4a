"""Experiments 1 to 3 in torch: E on the last rows of a length, and the critical N."""

from __future__ import annotations

import torch
from scipy.stats import ks_2samp
from torch import Tensor

from selection import Rows, distances, random_orders

LAST_ROWS = 16
ROTATIONS = 4
ORDERS_OF_ONE_ROW = 4


def expected(
    rows: Rows, some: Tensor, counts: Tensor, orders: int, generator: torch.Generator
) -> Tensor:
    """E of some rows at each N of counts [row, N], [head, row, N]: means over random orders of the
    tokens that a row sees, each cut in four ways."""
    tokens, width = (some + 1)[:, None], int(some[-1]) + 1
    order = random_orders(rows, some, orders, width, generator)[:, :, :, None]
    starts = torch.arange(ROTATIONS) * tokens // ROTATIONS
    places = (starts[..., None] + torch.arange(int(counts.max()))) % tokens[..., None]
    turned = order.expand(-1, -1, -1, ROTATIONS, -1)
    chosen = turned.gather(-1, places[:, None].expand(*turned.shape[:-1], -1)).flatten(2, 3)
    rank = (order.argsort(-1) - starts[:, None, :, None]) % tokens[..., None, None]
    outside = rank.flatten(2, 3)[..., None, :] >= counts[:, None, :, None]
    outside &= rows.seen[some, None, None, :width]
    weights = rows.a[:, some, None, :width]
    sums = rows.gather(weights.expand(-1, -1, chosen.shape[2], -1), chosen).cumsum(-2)
    at = (counts - 1)[None, :, None, :, None].expand(*sums.shape[:3], -1, sums.shape[-1])
    squares = rows.squares[:, some, None, None, :width]
    square = distances(weights[..., None, :], squares, rows.x[:, :width], sums.gather(3, at))
    return (square.abs().sqrt() * outside).sum(-1).mean(2)


def about_others(rows: Rows, some: Tensor, factors: Tensor) -> Tensor:
    """sum_i ||y_i - c sum_{j != i} y_j|| of some rows for factors [row, c], [head, row, c]."""
    a, squares = rows.a[:, some], rows.squares[:, some, None]
    o = a @ rows.x
    along = (a * (o @ rows.x.mT))[:, :, None]
    c = factors[..., None]
    square = (1 + c).square() * squares - 2 * (1 + c) * c * along
    square = square + c.square() * o.square().sum(-1)[..., None, None]
    return (square.abs().sqrt() * rows.seen[some, None]).sum(-1)


def distance(rows: Rows, some: Tensor, counts: Tensor) -> Tensor:
    """D of some rows at one N each, [head, row]."""
    order = rows.logits[:, some].sort(dim=-1, descending=True, stable=True).indices
    chosen = order[..., : int(counts.max())]
    sums = rows.gather(rows.a[:, some], chosen).cumsum(-2)
    at = (counts - 1)[None, :, None, None].expand(len(sums), -1, 1, sums.shape[-1])
    s = sums.gather(2, at)[:, :, 0]
    square = distances(rows.a[:, some], rows.squares[:, some], rows.x, s)
    outside = (order.argsort(-1) >= counts[:, None]) & rows.seen[some]
    return (square.abs().sqrt() * outside).sum(-1)


def last_rows(
    rows: Rows, length: int, missing: int, generator: torch.Generator
) -> tuple[Tensor, dict[int, dict[str, Tensor]], dict[str, Tensor]]:
    """The last rows of a length; for each N that all of them have E, its lower bound and the sum in
    full; and D and E at a quarter of their tokens: means over these rows, [head]. `missing`: how
    many tokens the front lacks."""
    last = length - missing - 1
    some = torch.arange(max(1, last + 1 - min(LAST_ROWS, length // 2)), last + 1)
    tokens = (some + 1)[:, None]
    usual = torch.tensor([n for n in rows.counts if n < tokens[0]])
    quarter = (tokens // 4).clamp(min=1)
    counts = torch.cat([usual.expand(len(some), -1), quarter], 1)
    sampled = expected(rows, some, counts, 1, generator)
    factors = torch.cat([usual / (tokens - 1), torch.ones(len(some), 1)], 1)
    about = about_others(rows, some, factors)
    share = (tokens - usual) / tokens
    factor, full = share * about[..., :-1], share * about[..., -1:]
    at_quarter = {
        "distance": distance(rows, some, quarter[:, 0]).mean(-1),
        "expected": sampled[..., -1].mean(-1),
    }
    points = {
        int(n): {
            "expected": sampled[..., c].mean(-1),
            "expected_factor": factor[..., c].mean(-1),
            "expected_full": full[..., c].mean(-1),
        }
        for c, n in enumerate(usual)
    }
    return some, points, at_quarter


def sweep(rows: Rows, row: int, generator: torch.Generator) -> dict[str, Tensor]:
    """Experiment 3 of one row: D and E for every N, [head, N]."""
    tokens, some = row + 1, torch.tensor([row])
    order = rows.logits[:, row, :tokens].sort(dim=-1, descending=True, stable=True).indices
    weights, squares = rows.a[:, row].gather(-1, order), rows.squares[:, row].gather(-1, order)
    x = rows.x[torch.arange(len(rows.x))[:, None], order]
    sums = (weights[..., None] * x).cumsum(1)[:, :-1]
    square = distances(weights[:, None], squares[:, None], x, sums)
    n = torch.arange(1, tokens)
    sampled_at = [1]
    while sampled_at[-1] < tokens - 1:
        last = sampled_at[-1]
        sampled_at.append(min(tokens - 1, last + (1 if last < LAST_ROWS else last // 10)))
    ends = torch.tensor(sampled_at)
    right = torch.searchsorted(ends, n)
    left = (right - 1).clamp(min=0)
    share = ((n - ends[left]) / (ends[right] - ends[left])).nan_to_num()
    sampled = expected(rows, some, ends[None], ORDERS_OF_ONE_ROW, generator)[:, 0] / (tokens - ends)
    remaining = (tokens - n).double()
    return {
        "distance": (square.abs().sqrt().triu(1)).sum(-1),
        "mean": remaining * torch.lerp(sampled[:, left], sampled[:, right], share),
        "factor": remaining / tokens * about_others(rows, some, (n / (tokens - 1))[None])[:, 0],
        "full": remaining / tokens * about_others(rows, some, torch.ones(1, 1))[:, 0],
    }


def critical_n(distance: Tensor, other: Tensor, level: float) -> int | None:
    """The first N at which the two-sample test cannot tell the heads' D and E apart."""
    for n, (d, e) in enumerate(zip(distance.T.numpy(), other.T.numpy(), strict=True), 1):
        if ks_2samp(d, e, method="exact").pvalue >= level:
            return n
    return None
