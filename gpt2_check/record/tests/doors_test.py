"""Which recorder gets the attention of which family: the table of gpt2_check/README.md."""

from __future__ import annotations

import json
import os
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from families import FAMILIES, Family
from nnsight import NNsight
from safetensors import safe_open
from support import ROOT
from transformer_lens.model_bridge import TransformerBridge
from truth import softmax_inputs, weights

from record import record

PAGE = ROOT / "gpt2_check" / "README.md"
BEGIN, END = "<!-- written by gpt2_check/record/tests/doors_test.py -->\n", "<!-- end -->\n"
ATTENTIONS = ("attentions", "encoder_attentions", "decoder_attentions", "cross_attentions")


def _is_right(patterns: list[Any], family: Family) -> str:
    """Whether these are the weights of the model, layer by layer."""
    layers = softmax_inputs(family.model(), family.inputs())
    if len(patterns) != len(layers):
        return "not all layers"
    sums = []
    for pattern, scores in zip(patterns, layers, strict=True):
        found = pattern.detach().numpy()
        if not np.allclose(found, weights(scores)[..., : found.shape[-1]], atol=1e-5, rtol=0):
            return "another pattern"
        sums.append(found.sum(-1).min())
    return "pattern" if min(sums) > 0.99 else "pattern, no sink"


def _by_record(family: Family) -> str:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "r.safetensors"
        record(family.model(), out=out, **family.inputs())
        with safe_open(out, "pt") as file:
            names = {name.split("hook_")[-1] for name in file.keys()}  # noqa: SIM118
            checked = json.loads(file.metadata()["modules"])
    kinds = {"q": "q, k", "attn_scores": "scores", "sink": "sink"}
    return ", ".join([word for name, word in kinds.items() if name in names]) if checked else "none"


def _by_bridge(family: Family) -> str:
    with tempfile.TemporaryDirectory() as folder:
        family.save(Path(folder))
        try:
            model = TransformerBridge.boot_transformers(folder)
            _, cache = model.run_with_cache(next(iter(family.inputs().values())))
        except ValueError:
            return "no adapter"
        except AttributeError:
            return "fails"
    patterns = {name: value[0] for name, value in cache.items() if name.endswith("hook_pattern")}
    if any(not name.startswith("blocks.") for name in patterns):
        return "other names"
    words = _is_right(list(patterns.values()), family)
    made = all(_makes_outputs(cache, name.removesuffix("pattern")) for name in patterns)
    return words if made else words + ", other v"


def _makes_outputs(cache: Any, layer: str) -> bool:
    """Whether the weights of a layer times its values are its outputs."""
    pattern, value, output = (cache[layer + end][0] for end in ("pattern", "v", "z"))
    if value.shape[0] != pattern.shape[-1]:
        return False
    of_head = value.repeat_interleave(len(pattern) // value.shape[1], 1)
    made = torch.einsum("hqk,khd->qhd", pattern, of_head).flatten(1)
    return torch.allclose(made, output.flatten(1), atol=1e-5, rtol=0)


def _of_output(output: Any, family: Family) -> str:
    lists = {name: getattr(output, name, None) or [] for name in ATTENTIONS}
    if sum(len(found) > 0 for found in lists.values()) > 1:
        return "pattern, three lists"
    return _is_right([pattern[0] for pattern in lists["attentions"]], family)


def _by_output(family: Family) -> str:
    with torch.no_grad():
        output = family.model()(**family.inputs(), output_attentions=True)
    return _of_output(output, family)


def _by_nnsight(family: Family) -> str:
    model = NNsight(family.model())
    with torch.no_grad(), model.trace(**family.inputs(), output_attentions=True):
        output = model.output.save()
    return _of_output(output, family)


DOORS: dict[str, Callable[[Family], str]] = {
    "record.py": _by_record,
    "TransformerLens": _by_bridge,
    "`output_attentions`": _by_output,
    "nnsight": _by_nnsight,
}


class Doors(unittest.TestCase):
    """The table is what comes of the families today."""

    def test_table(self) -> None:
        """Of every family and recorder."""
        rows = ["| family | " + " | ".join(DOORS) + " |", "|---" * (len(DOORS) + 1) + "|"]
        for name, family in FAMILIES.items():
            rows.append(f"| {name} | " + " | ".join(door(family) for door in DOORS.values()) + " |")
        table = "\n".join(rows) + "\n"
        before, rest = PAGE.read_text().split(BEGIN)
        found, after = rest.split(END)
        if os.environ.get("ATTN_ACCEPT"):
            PAGE.write_text(before + BEGIN + table + END + after)
            self.skipTest("the table is replaced")
        self.assertEqual(found, table)


if __name__ == "__main__":
    unittest.main()
