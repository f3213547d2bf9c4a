"""Experiment 6 of a model of GPT-2's architecture, by the recorder and by gpt2_check."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import torch
from families import FAMILIES
from support import ROOT, check

import set_size
from attention import Unsupported
from loading import ids_of_text, open_model
from set_size import (
    Losses,
    Way,
    _curve,
    are_enough_orders,
    keep,
    measure_set_sizes,
    standard_error,
)

SHIPPED = ROOT / "gpt2_check" / "tiny"


def _curves(sizes: dict[str, Any]) -> dict[tuple[Any, ...], dict[str, Any]]:
    """The curves without a drawn order, by what they are of."""
    words = ("length", "targets", "ranking", "renormalized")
    return {
        tuple(curve[word] for word in words): curve
        for curve in sizes["curves"]
        if not curve["ranking"].startswith("random")
    }


class Tiny(unittest.TestCase):
    """The model that the project ships, on the text that it ships."""

    def test_both_ways_agree(self) -> None:
        """Every loss in all curves without a drawn order: in float64 to its rounding, and in
        float32, whose rounding also says which of two nearly equal weights is kept, to 1e-4."""
        ways = tuple(way for way in set_size.WAYS if not way.is_random)
        with mock.patch.object(set_size, "WAYS", ways):
            for precision, dtype, delta in (
                ("f64", torch.float64, 1e-12),
                ("f32", torch.float32, 4e-4),
            ):
                with self.subTest(precision):
                    self._agree(precision, dtype, delta)

    def _agree(self, precision: str, dtype: torch.dtype, delta: float) -> None:
        text = SHIPPED / "sample.txt"
        with tempfile.TemporaryDirectory() as place:
            flags = ["--model", "tiny", "--text", str(text), "--rows", "stride:512"]
            report = check(Path(place) / "report", *flags, "--precision", precision)
        expected = _curves(report["gpt2"]["set_sizes"])
        opened = open_model(str(SHIPPED / "model"), dtype, "cpu")
        ids = ids_of_text(opened, text.read_text())[:1024]
        found = _curves(measure_set_sizes(opened.model, ids, 256))
        self.assertEqual(len(expected), 6)
        self.assertEqual(expected.keys(), found.keys())
        for key, curve in expected.items():
            self.assertAlmostEqual(found[key]["loss"], curve["loss"], delta=min(delta, 1e-5))
            self.assertEqual(found[key]["needs"], curve["needs"])
            ours = {loss["n"]: loss["relative"] for loss in found[key]["losses"]}
            self.assertEqual(list(ours), [loss["n"] for loss in curve["losses"]])
            for loss in curve["losses"]:
                self.assertAlmostEqual(ours[loss["n"]], loss["relative"], delta=delta)


class Kept(unittest.TestCase):
    """What keep() leaves of the weights of small models."""

    def _calls(self, name: str) -> list[Any]:
        calls: list[Any] = []

        def visit(call: Any) -> torch.Tensor:
            calls.append(call)
            return call.weights  # type: ignore[no-any-return]

        family = FAMILIES[name]
        set_size.watch(family.model(), visit, **family.inputs())
        return calls

    def test_number(self) -> None:
        """Every query keeps N of what it sees, or all."""
        for name in ("Llama", "Mistral", "BLOOM", "GPT-OSS"):
            for layer, call in enumerate(self._calls(name)):
                sees = call.visible().sum(-1)
                for way in set_size.WAYS:
                    for n in (1, 3, 100):
                        kept = keep(way, call, [n], [0], layer)
                        with self.subTest(family=name, way=way, n=n):
                            self.assertTrue(torch.equal((kept > 0).sum(-1), sees.clamp(max=n)))

    def test_held(self) -> None:
        """A random set of two holds the first token and the query's own, where it is to."""
        call = self._calls("Llama")[0]
        last = call.weights.shape[-1] - 1
        for ranking, (first, own) in set_size.HELD.items():
            kept = keep(Way(ranking), call, [2], [7], 0)[0, :, last] > 0
            with self.subTest(ranking):
                self.assertTrue(bool((kept[:, 0] == first).all()))
                self.assertTrue(bool((kept[:, last] == own).all()))

    def test_all_kept(self) -> None:
        """Off the interface too the losses are the model's own, and grow by nothing at L."""
        for name in ("BLOOM", "Gemma 2", "DeepSeek-V3"):
            model = FAMILIES[name].model()
            ids = FAMILIES[name].inputs()["input_ids"][0].tolist()
            sizes = measure_set_sizes(model, ids, 16)
            with torch.no_grad():
                logits = model(input_ids=torch.tensor([ids[-16:]])).logits[0, :-1].double()
            loss = torch.nn.functional.cross_entropy(logits, torch.tensor(ids[-15:]))
            longest = [curve for curve in sizes["curves"] if curve["targets"] == 15]
            self.assertEqual(len(longest), len(set_size.WAYS))
            for curve in longest:
                self.assertAlmostEqual(curve["loss"], float(loss), delta=1e-5)
                self.assertEqual(curve["losses"][-1], {"n": 16, "relative": 0.0})
            self.assertGreater(max(abs(x["relative"]) for x in longest[0]["losses"]), 1e-3)

    def test_no_language_model(self) -> None:
        """An encoder has no loss of the next token."""
        with self.assertRaisesRegex(Unsupported, "no causal language model"):
            measure_set_sizes(FAMILIES["BERT"].model(), list(range(3, 20)), 16)


class Orders(unittest.TestCase):
    """How many random orders are drawn."""

    def test_enough(self) -> None:
        """The numbers that gpt2_check's own test has: four orders about 0.07, whose nearest
        tolerance is 0.02 away, with a standard error of a quarter of that and a little more."""
        edge = 0.005 * 3**0.5

        def four(error: float) -> list[float]:
            return [0.07 - error, 0.07 + error, 0.07 - error, 0.07 + error]

        self.assertAlmostEqual(standard_error(four(edge)), 0.005, delta=1e-15)
        self.assertTrue(are_enough_orders(four(edge * 0.999)))
        self.assertFalse(are_enough_orders(four(edge * 1.001)))
        self.assertFalse(are_enough_orders([0.07] * 3))
        self.assertTrue(are_enough_orders([0.9, 0.91, 0.92, 0.93, 0.94]))
        self.assertFalse(are_enough_orders([0.009, 0.011, 0.009, 0.011]))
        self.assertFalse(are_enough_orders([float("nan")] * 16))

    def test_drawn(self) -> None:
        """Each loss of a random curve rests on as many orders as it says, which are enough or all
        that may be drawn; the passes are those and no more."""
        torch.manual_seed(1)
        model = FAMILIES["Llama"].model()
        ids = torch.randint(0, 50, (24,)).tolist()
        passes: list[int] = []
        losses = Losses(model, ids, 24, passes.append)
        seeds = list(range(7))
        curve = _curve(losses, Way("random"), seeds, 23)
        self.assertEqual(curve["orders"], 7)
        drawn = 1  # where all tokens are kept
        for point in curve["losses"][:-1]:
            growths = losses.growths(Way("random"), point["n"], seeds, 23)
            drawn += point["orders"]
            self.assertEqual(point["orders"], len(growths))
            self.assertTrue(are_enough_orders(growths) or len(growths) == len(seeds))
            self.assertFalse(are_enough_orders(growths[:-1]))
            self.assertAlmostEqual(point["relative"], sum(growths) / len(growths), delta=1e-12)
            self.assertEqual(point["standard_error"], standard_error(growths))
        self.assertEqual(curve["losses"][-1], {"n": 24, "relative": 0.0})
        self.assertEqual(sum(passes), drawn)


if __name__ == "__main__":
    unittest.main()
