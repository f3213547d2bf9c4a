"""Recordings of causal attention: reads the heads of one, and makes one of a single random head."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import save_file


@dataclass
class Heads:
    """Some heads of one layer, in double precision."""

    layer: int
    first_head: int
    temperature: float
    logits: (
        torch.Tensor
    )  # [head, query, key], before division by T; keys after a query's own mean nothing
    values: torch.Tensor  # [head, key, d]

    def without_first_token(self) -> Heads:
        """What is left where the first token is not there."""
        return Heads(
            self.layer,
            self.first_head,
            self.temperature,
            self.logits[:, 1:, 1:],
            self.values[:, 1:],
        )


def refuse(what: str) -> None:
    """Ends the program with a line on stderr."""
    print(f"peer: {what}", file=sys.stderr)
    sys.exit(2)


def _of_layer(metadata: dict[str, str], name: str, layer: int, default: object) -> object:
    """What the metadata say of a layer: a list has a word for each."""
    text = metadata.get(name)
    if text is None:
        return default
    said = json.loads(text) if text.startswith("[") else text
    return said[layer] if isinstance(said, list) else said


def read_heads(path: Path, most_numbers: int = 1 << 20) -> Iterator[Heads]:
    """The heads of a recording of q, k and v, or pattern and v, one at least at once and as many as
    have `most_numbers` logits."""
    if not path.is_file():
        refuse(f"no recording at {path}")
    with safe_open(str(path), "pt") as file:
        metadata = file.metadata() or {}
        names = set(file.keys())
        layers = sorted({int(name.split(".")[1]) for name in names if name.startswith("blocks.")})
        if not layers:
            refuse(f"{path} has no tensor named blocks.0.attn.hook_...")
        for place, layer in enumerate(layers):
            if (mask := _of_layer(metadata, "mask", place, "causal")) != "causal":
                refuse(
                    f"{path}: the mask of layer {layer} is '{mask}'; this reads causal ones alone"
                )
            tensors = {
                name.rsplit("hook_", 1)[1]: file.get_tensor(name).double()
                for name in names
                if name.startswith(f"blocks.{layer}.attn.hook_")
            }
            if "v" not in tensors or not ({"q", "k"} <= tensors.keys() or "pattern" in tensors):
                refuse(f"{path}: layer {layer} needs q, k and v, or pattern and v")
            if others := tensors.keys() - {"q", "k", "v", "pattern"}:
                refuse(
                    f"{path}: layer {layer} has {', '.join(sorted(others))}, which this cannot read"
                )
            if "q" in tensors:
                queries, keys = tensors["q"].movedim(1, 0), tensors["k"].movedim(1, 0)
                logits = queries @ keys.repeat_interleave(len(queries) // len(keys), 0).mT
                temperature = float(
                    _of_layer(metadata, "temperatures", place, queries.shape[-1] ** 0.5)
                )
            else:
                logits, temperature = tensors["pattern"].log(), 1.0
            if logits.shape[-2] != logits.shape[-1]:
                refuse(f"{path}: layer {layer} has not as many queries as keys")
            values = tensors["v"].movedim(1, 0)
            values = values.repeat_interleave(len(logits) // len(values), 0)
            at_once = max(1, most_numbers // logits[0].numel())
            for head in range(0, len(logits), at_once):
                some = slice(head, head + at_once)
                yield Heads(layer, head, temperature, logits[some], values[some])


def make_recording(path: Path, tokens: int, width: int = 64, heads: int = 1, seed: int = 1) -> None:
    """Writes q, k and v of float32 of one layer, standard normal numbers."""
    generator = torch.Generator().manual_seed(seed)
    tensors = {
        f"blocks.0.attn.hook_{name}": torch.randn(tokens, heads, width, generator=generator)
        for name in ("q", "k", "v")
    }
    save_file(
        tensors, str(path), metadata={"model": f"normal numbers of seed {seed}", "mask": "causal"}
    )
