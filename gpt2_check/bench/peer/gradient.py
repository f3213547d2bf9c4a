"""Experiment 5 in torch: the norm of softmax's Jacobian, and finite steps, of all rows at once."""

from __future__ import annotations

import math

import torch
from torch import Tensor

STEPS = (1e-3, 1e-1, 10.0)
COLD = 0.1
TEMPERATURES = (1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0, 3.0, 10.0)


def softmax_norm(weights: Tensor) -> Tensor:
    """||diag(a) - a a^T|| of the rows of weights [..., token]: the largest root t of
    sum_i a_i^2/(a_i - t) = 1, by Newton's method between bounds."""
    first, place = weights.max(-1, keepdim=True)
    others = weights.scatter(-1, place, 0.0)
    rest = others.sum(-1, keepdim=True)
    second = others.amax(-1, keepdim=True)
    low, high = second.clone(), first * (rest + second)
    t = high.clone()
    for _ in range(100):
        ratio = (others / (t - others)).nan_to_num(nan=0.0, posinf=0.0)
        s = (others * ratio).sum(-1, keepdim=True)
        value = t - first * (rest + s) / (1 + s)
        slope = 1 + (first / (1 + s)).square() * ratio.square().sum(-1, keepdim=True)
        low, high = torch.where(value < 0, t, low), torch.where(value < 0, high, t)
        newton = t - value / slope
        step = torch.where((newton > low) & (newton < high), newton, (low + high) / 2)
        open_ = (high > low) & (value != 0)
        moved = torch.where(open_, (step - t).abs(), 0.0)
        t = torch.where(open_, step, t)
        if bool((moved <= 1e-14 * t).all()):
            break
    return torch.where(first == second, first, t)[..., 0]


def measure_gradient(
    logits: Tensor, seen: Tensor, own_temperature: float, generator: torch.Generator
) -> dict[float, dict[str, Tensor]]:
    """T||J|| of every row that sees two keys, [head, row], and the largest g(T, epsilon) of each
    head along random signs and between the two largest logits, [head, epsilon], by temperature.
    `logits`: minus infinity where a key is not seen."""
    logits, seen = logits[:, 1:], seen[1:]
    signs = torch.randint(0, 2, logits.shape, generator=generator).double() * 2 - 1
    directions = {"random": signs / seen.sum(-1)[:, None].sqrt()}
    top = logits.topk(2, -1).indices
    ends = torch.tensor([1.0, -1.0]).expand(top.shape) / math.sqrt(2)
    directions["top"] = torch.zeros_like(logits).scatter_(-1, top, ends)
    found = {}
    for temperature in sorted({*TEMPERATURES, own_temperature}):
        a = (logits / temperature).softmax(-1)
        at = {"t_norm": softmax_norm(a)}
        for name, v in directions.items():
            moved = [
                ((logits + e * v) / temperature).softmax(-1).sub_(a).norm(dim=-1).amax(-1) / e
                for e in STEPS
            ]
            at[name] = torch.stack(moved, -1)
        found[temperature] = at
    return found
