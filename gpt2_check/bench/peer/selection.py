"""Experiments 1, 2 and 4 in torch: the N largest weights of every row, and random sets."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from recording import Heads

COUNTS = (1, 5, 10, 20, 100)


def distances(weights: Tensor, squares: Tensor, values: Tensor, s: Tensor) -> Tensor:
    """||a_i x_i - s||^2, [head, ..., token], of sums s [head, ..., d] and values [head, token, d];
    weights and squares, ||a_i x_i||^2, broadcast against these."""
    along = (s.flatten(1, -2) @ values.mT).unflatten(1, s.shape[1:-1])
    return squares - 2 * weights * along + s.square().sum(-1, keepdim=True)


class Rows:
    """The weights of all rows of some heads, [head, row, token], and what the experiments read."""

    def __init__(self, heads: Heads) -> None:
        """Takes the softmax."""
        tokens = heads.logits.shape[-1]
        self.temperature, self.x = heads.temperature, heads.values
        self.seen = torch.ones(tokens, tokens, dtype=torch.bool).tril()
        self.logits = heads.logits.masked_fill(~self.seen, -math.inf)
        self.a = (self.logits / heads.temperature).softmax(-1)
        self.norms = self.x.square().sum(-1)  # ||x_i||^2
        self.squares = self.a.square() * self.norms[:, None]
        self.tokens = torch.arange(1, tokens + 1)  # of each row
        self.counts = [n for n in COUNTS if n < tokens]
        # Ties go to the lower index.
        self.order = self.logits.sort(dim=-1, descending=True, stable=True).indices[
            ..., : max(self.counts)
        ]

    def gather(self, weights: Tensor, order: Tensor) -> Tensor:
        """y of the tokens of an order, [head, ..., place, d], of weights [head, ..., token]."""
        heads = torch.arange(len(self.x)).view(-1, *[1] * (order.dim() - 1))
        return weights.gather(-1, order)[..., None] * self.x[heads, order]


def theorem2(
    weights: Tensor, norms: Tensor, r_square: Tensor, width: int
) -> tuple[Tensor, Tensor, Tensor]:
    """The printed lower bound, the sharp one and the repaired upper one on E[N_s]/N, [head, row],
    for the selected weights and ||x_j||^2, [head, row, N], on the sphere of their mean square."""
    n = weights.shape[-1]
    sphere = norms.mean(-1, keepdim=True)
    own = sphere * weights.square()
    mean = (own.sum(-1, keepdim=True) - own).clamp(min=0)
    of_squares = own.square().sum(-1, keepdim=True) - own.square()
    variance = (4 / width) * ((mean.square() - of_squares) / 2).clamp(min=0)
    allowed = r_square[..., None].expand_as(mean)
    cantelli = variance / (variance + (mean - allowed).square())
    beyond = torch.where(mean < allowed, torch.minimum(mean / allowed, cantelli), 1.0)
    within = torch.where(mean > allowed, cantelli, 1.0)
    reach = sphere[..., 0].sqrt() * weights.sum(-1) * ((n - 1) / n)
    lower = (1 - reach / r_square.sqrt()).clamp(min=0)
    if n == 1:
        return torch.ones_like(lower), torch.ones_like(lower), torch.ones_like(lower)
    return lower, 1 - beyond.mean(-1), within.mean(-1)


def select(rows: Rows) -> list[dict[str, Tensor]]:
    """Experiments 1, 2 and 4 of the N largest weights: for each N, tensors [head, row]."""
    sums = rows.gather(rows.a, rows.order).cumsum(-2)
    apart = torch.cdist(rows.x, rows.x, compute_mode="donot_use_mm_for_euclid_dist")
    heads = torch.arange(len(rows.x))[:, None]
    farthest = torch.zeros_like(rows.a)  # of the selected tokens, from each token
    outside = rows.seen.expand_as(rows.a).clone()
    found, taken = [], 0
    for n in rows.counts:
        new = rows.order[..., taken:n]
        for token in new.unbind(-1):
            torch.maximum(farthest, apart[heads, token], out=farthest)
        outside.scatter_(-1, new, False)
        taken = n
        chosen = rows.order[..., :n]
        weights = rows.a.gather(-1, chosen)
        norms = rows.norms[heads[..., None], chosen]
        square = distances(rows.a, rows.squares, rows.x, sums[:, :, n - 1])
        inside = square.gather(-1, chosen)
        others = square.masked_fill(~outside, math.inf)
        nearest = others.amin(-1)
        mass = weights.sum(-1)
        lost = (rows.a * outside).sum(-1)
        spread = (farthest * outside).amax(-1)
        radius = norms.amax(-1).sqrt()
        recall = (inside < nearest[..., None]).sum(-1) / n
        precision = n / (n + (others <= inside.amax(-1, keepdim=True)).sum(-1))
        lower, sharp, upper = theorem2(weights, norms, nearest.clamp(min=0), rows.x.shape[-1])
        share = (inside <= nearest[..., None]).sum(-1) / n
        found.append(
            {
                "distance": (square.abs().sqrt() * outside).sum(-1),
                "bound": lost * spread + radius * (mass * (rows.tokens - n) - lost),
                "share": share,
                "precision": precision,
                "recall": recall,
                "f_score": (2 * precision * recall / (precision + recall)).nan_to_num(),
                "lower_bound": lower,
                "lower_bound_sharp": sharp,
                "upper_bound": upper,
                "between_bounds": ((sharp <= share) & (share <= upper)).double(),
            }
        )
    return found


def random_orders(
    rows: Rows, row: Tensor, draws: int, most: int, generator: torch.Generator
) -> Tensor:
    """So many tokens of random orders of what some rows see, [head, row, draw, place]."""
    seen = rows.seen[row, None, : int(row[-1]) + 1]
    keys = torch.rand(len(rows.x), len(row), draws, seen.shape[-1], generator=generator)
    return keys.masked_fill(~seen, 2.0).argsort(-1)[..., :most]


def random_shares(rows: Rows, row: Tensor, draws: int, generator: torch.Generator) -> list[Tensor]:
    """N_s/N of random sets for each N, means over the draws, [head, row]."""
    order = random_orders(rows, row, draws, max(rows.counts), generator)
    weights, squares = rows.a[:, row, None], rows.squares[:, row, None]
    sums = rows.gather(weights.expand(-1, -1, draws, -1), order).cumsum(-2)
    outside = rows.seen[row][None, :, None].expand(len(rows.x), -1, draws, -1).clone()
    shares, taken = [], 0
    for n in rows.counts:
        outside.scatter_(-1, order[..., taken:n], False)
        taken = n
        square = distances(weights, squares, rows.x, sums[..., n - 1, :])
        nearest = square.masked_fill(~outside, math.inf).amin(-1, keepdim=True)
        inside = square.gather(-1, order[..., :n]) <= nearest
        shares.append((inside.sum(-1) / n if n > 1 else torch.ones_like(nearest[..., 0])).mean(-1))
    return shares
