"""Sees every softmax attention of a model while it runs.

A model of transformers that is written on its attention interface asks for the function that takes
each call; it gets one that runs the model's own eager attention and so sees queries and keys as the
softmax reads them. The implementation keeps the name `eager`, by which some models choose what they
compute. Of any other model the softmax itself is seen. Either way what is looked at is what the
model computes with: the numbers that softmax reads, and the weights that are multiplied with the
values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any
from unittest import mock

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

_ADDED = 9000  # what hides a key in models that add -10,000, less what its score may be

_SOFTMAX = {torch.softmax, torch.Tensor.softmax, torch.nn.functional.softmax}
_PRODUCTS = {
    torch.matmul,
    torch.Tensor.matmul,
    torch.Tensor.__matmul__,
    torch.bmm,
    torch.Tensor.bmm,
}


class Unsupported(Exception):
    """What cannot be recorded, in one line: what, where, what to do."""


@dataclass
class Attention:
    """One call of attention, of one or more sequences.

    Attributes:
        module: the name of the module within the model.
        scores: [batch, head, query, key], what softmax reads: the numbers that a mask hides
            included. A learned sink is one more key, the last.
        weights: [batch, head, query, key], what the values are multiplied with; of the sink there
            is none.
        value: [batch, key head, key, d_v].
        query: [batch, head, query, d], as the scores read it; None where the model is off the
            interface.
        key: [batch, key head, key, d], likewise.
        scale: the scores are query . key * scale, before a softcap, a bias and the mask.
        sink: [head], the logits of a learned sink; None without one.
        is_plain: whether no softcap and no bias is known of.
        run: the number of the run of its module, which tells its calls from those of other runs.
    """

    module: str
    scores: Tensor
    weights: Tensor
    value: Tensor
    query: Tensor | None = None
    key: Tensor | None = None
    scale: float = 1.0
    sink: Tensor | None = None
    is_plain: bool = False
    run: int = 0

    def visible(self) -> Tensor:
        """[batch, head, query, key], booleans: where no mask hides the key. A mask adds the least
        number of the type, or puts minus infinity; or it adds -10,000 in every head."""
        keys = self.scores[..., : self.weights.shape[-1]]
        hidden = keys <= torch.finfo(keys.dtype).min / 2  # NaN hides nothing
        added = (keys <= -_ADDED) & ~hidden
        others = keys.masked_fill(added | hidden, 0)
        if bool((added == added[:, :1]).all()) and bool((others > -_ADDED / 10).all()):
            hidden |= added
        return ~hidden


# Gives the weights to go on with: those that it was called with, or others of that shape.
Visit = Callable[[Attention], Tensor]


class _Watch(TorchFunctionMode):
    """Sees each product of weights that a softmax made and values, which is attention, and has the
    model go on with the weights that `visit` returns. Softmax for anything else, as of a router of
    experts, is multiplied with no matrix and so not seen."""

    def __init__(self, names: dict[int, str], batch: int, visit: Visit) -> None:
        """`names` of the modules by their id; `batch`: how many sequences the model is given."""
        super().__init__()
        self.names = names
        # The modules that are running, the innermost last, each with the number of its run.
        self.running: list[tuple[str, int]] = []
        self.runs = 0
        self.on_interface: dict[str, Any] | None = (
            None  # what the interface gave of the call that is running
        )
        self.calls = 0
        self._batch = batch
        self._visit = visit
        self._scores: Tensor | None = None
        self._weights: Tensor | None = None
        self._made_by = ""  # the module whose softmax made these

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        if function in _SOFTMAX:
            result = function(*args, **kwargs)
            self._remember(
                args[0] if args else kwargs["input"],
                kwargs["dim"] if "dim" in kwargs else args[1],
                result,
            )
            return result
        if function in _PRODUCTS and len(args) == 2 and not kwargs and self._made(args[0]):
            return function(self._visited(*args), args[1])
        if function is torch.einsum and len(args) == 3 and self._made(args[1]):
            return function(args[0], self._visited(args[1], _values_by_heads(*args)), args[2])
        if function is torch.nn.functional.multi_head_attention_forward:
            # It hands itself over as a whole: only so its steps are seen.
            with self, mock.patch.object(torch.nn.functional, "has_torch_function", _nothing):
                return function(*args, **kwargs)
        if function is torch.nn.functional.scaled_dot_product_attention:
            return self._explicit(*args, **kwargs)
        return function(*args, **kwargs)

    def _explicit(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attn_mask: Tensor | None = None,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        scale: float | None = None,
        enable_gqa: bool = False,
    ) -> Tensor:
        """What torch's attention in one function is said to compute, in steps that are seen."""
        self.refuse_unseen()
        scale = query.shape[-1] ** -0.5 if scale is None else scale
        groups = query.shape[-3] // key.shape[-3] if enable_gqa else 1
        scores = query @ key.repeat_interleave(groups, -3).transpose(-1, -2) * scale
        if is_causal:
            attn_mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
        if attn_mask is not None and attn_mask.dtype == torch.bool:
            scores = scores.masked_fill(~attn_mask, torch.finfo(scores.dtype).min)
        elif attn_mask is not None:
            scores = scores + attn_mask
        self._scores, self._weights = scores, scores.softmax(-1)
        if self.on_interface is None and query.dim() == 4:
            self.on_interface = {
                "query": query,
                "key": key,
                "value": value,
                "scale": scale,
                "is_plain": True,
            }
        weights = self._visited(self._weights, value)
        self.on_interface = None
        return weights @ value.repeat_interleave(groups, -3)

    def _remember(self, scores: Tensor, dim: int, weights: Tensor) -> None:
        if scores.dim() < 3 or dim not in (-1, scores.dim() - 1):
            return
        self.refuse_unseen()
        self._scores, self._weights = scores, weights
        self._made_by = self._module()

    def refuse_unseen(self) -> None:
        """Raises Unsupported where the last softmax was that of attention by its shape, of four
        dimensions or more, and its weights were multiplied with no values. A router's has fewer."""
        if self._weights is None or self._weights.dim() < 4:
            return
        raise Unsupported(
            f"{self._made_by}: the weights of a softmax, {list(self._weights.shape)}, are not "
            "multiplied with values as they are: attention in blocks, or of weights that are "
            "changed first, cannot be recorded"
        )

    def _module(self) -> str:
        return self.running[-1][0] if self.running else ""

    def _made(self, weights: Any) -> bool:
        """Whether these are the last softmax's weights, a last column for a sink and heads in one
        dimension aside."""
        made = self._weights
        if made is None or not isinstance(weights, Tensor) or weights.dim() not in (3, 4):
            return False
        if made.shape[-1] == weights.shape[-1] + 1:
            made = made[..., :-1]
        if made.shape[-2:] != weights.shape[-2:] or made.numel() != weights.numel():
            return False
        if (
            made.data_ptr() == weights.data_ptr()
            and made.dtype == weights.dtype
            and made.is_contiguous()
        ):
            return weights.is_contiguous()  # a view, as dropout gives one in evaluation
        return torch.equal(made.to(weights.dtype), weights.reshape(made.shape))

    def _visited(self, weights: Tensor, values: Tensor) -> Tensor:
        """The weights to go on with, in the shape of those given."""
        scores, self._scores, self._weights = self._scores, None, None
        assert scores is not None
        self.calls += 1
        known = {"value": self._four(values), **(self.on_interface or {})}
        call = Attention(
            module=self._module(),
            scores=self._four(scores),
            weights=self._four(weights),
            run=self.running[-1][1] if self.running else 0,
            **known,
        )
        return self._visit(call).reshape(weights.shape)

    def _four(self, tensor: Tensor) -> Tensor:
        """[batch, head, .., ..] of a tensor that may have both in one dimension."""
        return tensor if tensor.dim() == 4 else tensor.reshape(self._batch, -1, *tensor.shape[1:])


def _nothing(_: Any) -> bool:
    """Whether torch is to hand a function over to who watches it."""
    return False


def _values_by_heads(equation: str, weights: Tensor, values: Tensor) -> Tensor:
    """[batch, head, key, d_v] of the values of an einsum whose weights are [batch, head, query,
    key]."""
    of_weights, of_values = equation.replace(" ", "").split("->")[0].split(",")
    width = next(letter for letter in of_values if letter not in of_weights)
    batch, head, _, key = tuple(of_weights)
    return torch.einsum(f"{of_values}->{batch}{head}{key}{width}", values)


_watch: _Watch | None = None  # of the model that is running


def _interface(
    eager: Callable[..., Any],
    module: torch.nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    *args: Any,
    **kwargs: Any,
) -> tuple[Tensor, None]:
    """The function that transformers calls, of the module's own `eager` attention. Weights are not
    handed on, so that those of one layer alone are held."""
    assert _watch is not None
    scale = kwargs.get("scaling")
    before = _watch.calls
    _watch.on_interface = {
        "query": query,
        "key": key,
        "value": value,
        "scale": query.shape[-1] ** -0.5 if scale is None else float(scale),
        "sink": kwargs.get("s_aux"),
        "is_plain": all(kwargs.get(word) is None for word in ("softcap", "position_bias")),
    }
    output = eager(module, query, key, value, *args, **kwargs)[0]
    _watch.on_interface = None
    if _watch.calls != before + 1:
        raise Unsupported(
            f"{_watch.running[-1][0]}: its eager attention takes {_watch.calls - before} softmaxes "
            "that could be seen, expected 1: it cannot be recorded"
        )
    return output, None


@contextmanager
def _attention_of(model: Any) -> Iterator[None]:
    """The model with its eager attention, seen by our function where it asks for one; as it was
    afterwards."""
    if not hasattr(model, "set_attn_implementation"):  # no model of transformers
        yield
        return
    from transformers import AttentionInterface

    others = AttentionInterface.get_interface

    def interface(self: AttentionInterface, name: str, eager: Callable[..., Any]) -> Any:
        return partial(_interface, eager) if name == "eager" else others(self, name, eager)

    configs = {id(m.config): m.config for m in model.modules() if hasattr(m, "config")}
    before = [(config, config._attn_implementation) for config in configs.values()]
    model.set_attn_implementation("eager")
    try:
        with mock.patch.object(AttentionInterface, "get_interface", interface):
            yield
    finally:
        for config, name in before:
            config._attn_implementation = name


@contextmanager
def _told_of_modules(watch: _Watch) -> Iterator[None]:
    """Keeps `running` of the watch."""

    def enter(module: torch.nn.Module, _: Any) -> None:
        watch.runs += 1
        watch.running.append((watch.names.get(id(module), type(module).__name__), watch.runs))

    def leave(*_: Any) -> None:
        watch.running.pop()

    hooks = [
        torch.nn.modules.module.register_module_forward_pre_hook(enter),
        torch.nn.modules.module.register_module_forward_hook(leave, always_call=True),
    ]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def watch(model: torch.nn.Module, visit: Visit, **inputs: Any) -> Any:
    """What the model gives of its inputs, in evaluation and without gradients; `visit` sees each
    call of attention in the order that they are made. The model is left as it was. Raises
    Unsupported."""
    global _watch
    batch = next(value.shape[0] for value in inputs.values() if isinstance(value, Tensor))
    names = {id(module): name for name, module in model.named_modules()}
    was_training = model.training
    model.eval()
    _watch = _Watch(names, batch, visit)
    try:
        with torch.no_grad(), _attention_of(model), _told_of_modules(_watch), _watch:
            output = model(**inputs)
            _watch.refuse_unseen()
            return output
    finally:
        _watch = None
        model.train(was_training)
