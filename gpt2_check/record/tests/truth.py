"""What a model's own softmax reads, seen by other means than the recorder's, and what follows."""

from __future__ import annotations

from typing import Any
from unittest import mock

import numpy as np
import torch


def softmax_inputs(model: Any, inputs: dict[str, torch.Tensor]) -> list[np.ndarray]:
    """[head, query, key] of each attention, in the order of the calls: what softmax reads, minus
    infinity where a mask hides a key. Of eager attention of one sequence."""
    seen: list[torch.Tensor] = []
    original = torch.nn.functional.softmax

    def softmax(scores: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor:
        if scores.dim() > 2:  # routers of experts have two
            seen.append(scores)
        return original(scores, *args, **kwargs)

    with torch.no_grad(), mock.patch("torch.nn.functional.softmax", softmax):
        model(**inputs)
    found = []
    for scores in seen:
        of_one = scores.reshape(-1, *scores.shape[-2:])
        hidden = of_one <= torch.finfo(of_one.dtype).min / 2
        found.append(of_one.double().masked_fill(hidden, -np.inf).numpy())
    return found


def weights(scores: np.ndarray) -> np.ndarray:
    """Softmax over the last axis; every row must have a finite number."""
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


def corollary3(layers: list[np.ndarray]) -> tuple[int, int]:
    """Of how many rows ||J|| > 1/(4T), and of how many that see two keys or more."""
    violated = cases = 0
    for scores in layers:
        rows = scores.reshape(-1, scores.shape[-1])
        rows = rows[np.isfinite(rows).sum(-1) >= 2]
        of_rows = weights(rows)
        jacobians = np.einsum("ri,ij->rij", of_rows, np.eye(rows.shape[-1]))
        jacobians -= np.einsum("ri,rj->rij", of_rows, of_rows)
        violated += int((np.linalg.eigvalsh(jacobians)[:, -1] > 0.25).sum())
        cases += len(rows)
    return violated, cases


def tokens_holding(scores: np.ndarray, share: float) -> np.ndarray:
    """[head, query] of [head, query, key]: the least number of keys that hold the share of the
    weight of a row."""
    largest_first = -np.sort(-weights(scores), axis=-1)
    return (np.cumsum(largest_first, axis=-1) < share).sum(-1) + 1
