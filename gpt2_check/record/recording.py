"""Turns what was seen of one call of attention into the tensors of a recording, and checks them.

What is recorded stands for the numbers that the softmax read: queries and keys where their products
are all there is to the scores, else the scores themselves. Its softmax, computed here again, must
be the weights that the model used."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from attention import Attention, Unsupported

HIDDEN = -math.inf  # the score of a key that a mask hides


@dataclass
class Layer:
    """What is written of one call of attention, of one sequence, its padding cut off.

    Attributes:
        tensors: by the end of their name: `q` and `k`, or `attn_scores`; `v`, `pattern`, and where
            there is one `sink` or `mask`.
        temperature: T; softmax reads q.k/T, or the scores / T.
        mask: which keys a query sees: `causal`, `full`, `window:K`, or `recorded` where the tensor
            `mask` says it.
        difference: the largest difference of a weight that the model used from the softmax of what
            is recorded.
    """

    tensors: dict[str, Tensor]
    temperature: float
    mask: str
    difference: float


def mask_word(visible: Tensor) -> str:
    """`causal`, `full` or `window:K` where these say what every head sees of [head, query, key];
    else `recorded`."""
    queries, keys = visible.shape[1:]
    if bool(visible.all()) and (queries != keys or keys > 1):
        return "full"
    if queries != keys or not bool((visible == visible[:1]).all()):
        return "recorded"
    own = torch.arange(keys, device=visible.device)
    back = own[:, None] - own  # how far a key lies before the query
    window = int(visible[0, -1].sum())
    for word, seen in (("causal", back >= 0), (f"window:{window}", (back >= 0) & (back < window))):
        if window > 1 and bool((visible[0] == seen).all()):
            return word
    return "causal" if keys == 1 else "recorded"


def _only_sequence(call: Attention) -> None:
    for tensor in (call.weights, call.value):
        if tensor.shape[0] != 1:
            raise Unsupported(
                f"{call.module}: {tensor.shape[0]} sequences in one call of attention, expected 1: "
                "give one sequence, as inputs[:1]; attention in windows or frames of one cannot be "
                "recorded"
            )


def _type_of(call: Attention) -> torch.dtype:
    """What the check computes in: float32, or more where the model does."""
    return torch.promote_types(torch.float32, call.scores.dtype)


def _rounding(call: Attention) -> float:
    """How far a score that the model computed may be from query . key * scale: of a product of d
    terms by d roundings of its largest possible value, and by one of a step's result in each of
    four steps."""
    assert call.query is not None and call.key is not None
    query, key = (x.to(_type_of(call)).norm(dim=-1).max() for x in (call.query, call.key))
    longest = float(query * key) * abs(call.scale)
    largest = longest
    if call.scores.dtype.itemsize < 4:  # the steps are coarse: count them at what they give
        largest = float(
            call.scores[..., : call.weights.shape[-1]].masked_fill(~call.visible(), 0).abs().max()
        )
    steps = 4 * torch.finfo(call.scores.dtype).eps / 2 * largest
    return steps + call.query.shape[-1] * torch.finfo(_type_of(call)).eps * longest


def _difference(
    call: Attention, logits: Logits, hidden: Tensor, sink: Tensor | None, rounding: float
) -> float:
    """The largest |softmax(logits) - weights| over the queries that see a key, one head at a time.
    Raises Unsupported where it is more than logits that are off by `rounding`, and the steps of a
    softmax, make of a weight."""
    coarse, single = torch.finfo(call.weights.dtype), torch.finfo(torch.float32)
    # Softmax itself, which families take in single precision whatever they compute in: a sum, a
    # quotient, and an exponential of at most 104 below the largest, where a float ends.
    relative = math.expm1(2 * rounding) + 220 * single.eps + 4 * coarse.eps
    floor = max(coarse.tiny, single.tiny)
    sees_none = hidden.all(-1)
    largest = 0.0
    for head, used in enumerate(call.weights[0]):
        scores = logits(head).masked_fill_(hidden[head], HIDDEN)
        if sink is not None:
            scores = torch.cat(
                [scores, sink.reshape(-1)[head].to(scores).expand(len(scores), 1)], -1
            )
        expected = scores.softmax(-1)[:, : used.shape[-1]].masked_fill_(sees_none[head][:, None], 0)
        error = expected.sub(used).abs_().masked_fill_(sees_none[head][:, None], 0)
        largest = max(float(error.max()), largest)  # NaN, where there is one
        if not bool(error.sub_(expected.mul_(relative)).max() <= floor):  # nor is NaN
            raise Unsupported(
                f"{call.module}: softmax of what would be recorded is up to {largest:.2g} from the "
                f"weights that the model used in head {head}: it cannot be recorded"
            )
    return largest


Logits = Callable[[int], Tensor]  # of a head: [query, key], to be written over


def _products(call: Attention) -> Logits:
    """query . key * scale."""
    assert call.query is not None and call.key is not None
    query, key = call.query[0].to(_type_of(call)) * call.scale, call.key[0].to(_type_of(call))
    group = len(query) // len(key)
    return lambda head: query[head] @ key[head // group].T


def _scores(call: Attention) -> Logits:
    """What the softmax read."""
    scores = call.scores[0, :, :, : call.weights.shape[-1]].expand(call.weights.shape[1:])
    return lambda head: scores[head].to(_type_of(call), copy=True)


def _logits_of(call: Attention, hidden: Tensor) -> tuple[dict[str, Tensor], float, float]:
    """What stands for the logits of a call, by name, with its T and the difference of its softmax
    from the weights."""
    if call.is_plain and call.query is not None and call.key is not None:
        products = _products(call)
        try:
            difference = _difference(call, products, hidden, call.sink, _rounding(call))
        except Unsupported:
            pass  # the family does more to them: what the softmax read has it
        else:
            if call.sink is None:
                return (
                    {"q": call.query[0].transpose(0, 1), "k": call.key[0].transpose(0, 1)},
                    1 / call.scale,
                    difference,
                )
            scores = torch.stack([products(head) for head in range(len(hidden))])
            return (
                {"attn_scores": scores.masked_fill(hidden, HIDDEN), "sink": call.sink.reshape(-1)},
                1.0,
                difference,
            )
    difference = _difference(call, _scores(call), hidden, call.sink, 0.0)
    scores = call.scores[0, :, :, : hidden.shape[-1]].expand(hidden.shape)
    tensors = {"attn_scores": scores.masked_fill(hidden, HIDDEN)}
    return (
        tensors if call.sink is None else {**tensors, "sink": call.sink.reshape(-1)},
        1.0,
        difference,
    )


def layer_of(call: Attention, keeps_queries: Tensor | None, keeps_keys: Tensor | None) -> Layer:
    """What to write of a call. `keeps_queries`, `keeps_keys`: booleans, [query] and [key]: those
    that are no padding; None keeps all. Raises Unsupported, naming the module, where the weights
    cannot be had of what was seen."""
    _only_sequence(call)
    call = _cut(call, keeps_queries, keeps_keys)
    visible = call.visible()[0]
    heads, queries, keys = call.weights.shape[1:]
    visible = visible.expand(heads, queries, keys)
    tensors, temperature, difference = _logits_of(call, ~visible)
    tensors["v"] = call.value[0].transpose(0, 1)
    tensors["pattern"] = call.weights[0]
    mask = mask_word(visible)
    if mask == "recorded":
        same = bool((visible == visible[:1]).all())
        tensors["mask"] = visible[0] if same else visible
    return Layer(tensors, temperature, mask, difference)


def _cut(call: Attention, queries: Tensor | None, keys: Tensor | None) -> Attention:
    """The call without the queries and keys that are padding."""
    if queries is None and keys is None:
        return call
    q = torch.ones(call.weights.shape[-2], dtype=torch.bool) if queries is None else queries
    k = torch.ones(call.weights.shape[-1], dtype=torch.bool) if keys is None else keys
    with_sink = torch.cat([k, k.new_ones(call.scores.shape[-1] - len(k))])
    return Attention(
        call.module,
        call.scores[:, :, q][..., with_sink],
        call.weights[:, :, q][..., k],
        call.value[:, :, k],
        None if call.query is None else call.query[:, :, q],
        None if call.key is None else call.key[:, :, k],
        call.scale,
        call.sink,
        call.is_plain,
    )
