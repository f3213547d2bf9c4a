"""record.py, of every family, against the program that reads what it writes."""

from __future__ import annotations

import contextlib
import io
import json
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

import numpy as np
import torch
from families import FAMILIES, IN_BLOCKS, OF_THE_NAME, SEVERAL_CALLS, SHARED, Family
from safetensors import safe_open
from support import RECORD, check, corollary3_of, record_py
from truth import corollary3, softmax_inputs, tokens_holding

import attention
from attention import Unsupported
from record import record


class Temporary(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        """Makes the folder."""
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)


class EveryFamily(Temporary):
    """A report says of a recording what the model's own softmax reads."""

    def test_counts(self) -> None:
        """Rows that violate corollary3, and how many there are, as numpy has them."""
        expected = {}
        for name, family in FAMILIES.items():
            model, inputs = family.model(), family.inputs()
            expected[name] = corollary3(softmax_inputs(model, inputs))
            record(model, out=self._file(name), name=name, **inputs)
        with ThreadPoolExecutor(2) as pool:
            found = dict(zip(expected, pool.map(self._counts, expected), strict=True))
        self.assertEqual(expected, found)
        self.assertGreater(min(violated for violated, _ in expected.values()), 0)

    def test_tokens_that_hold_the_weight(self) -> None:
        """Means over the last rows of each head, at the longest length, as numpy has them."""
        family = FAMILIES["Llama"]
        model, inputs = family.model(), family.inputs()
        layers = softmax_inputs(model, inputs)
        record(model, out=self._file("held"), **inputs)
        out = self.folder / "held report"
        measured = check(out, "--activations", str(self._file("held")))["gpt2"]
        points = [p for p in measured["figures"]["held"] if not p["without_first"]]
        longest = [p for p in points if p["length"] == points[-1]["length"]]
        self.assertEqual([p["held"] for p in longest], [0.5, 0.9, 0.99])
        self.assertEqual([p["open_rows"] for p in longest], [0, 0, 0])
        for point in longest:
            last, share = point["rows"], point["held"]
            expected = [tokens_holding(scores, share)[:, -last:].mean(-1) for scores in layers]
            found = [head[f"holding_{round(100 * share)}"] for head in measured["heads"]]
            np.testing.assert_allclose(found, np.concatenate(expected), rtol=1e-14)

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.safetensors"

    def _counts(self, name: str) -> tuple[int, int]:
        out = self.folder / f"{name} report"
        return corollary3_of(check(out, "--activations", str(self._file(name))))


class OtherFamilies(Temporary):
    """What is particular to families beside those of the table."""

    def test_weights(self) -> None:
        """The recorded weights are those that the model gives out, and none of a hidden key."""
        for name, family in OF_THE_NAME.items():
            with self.subTest(family=name):
                model, inputs, out = family.model(), family.inputs(), self.folder / "r"
                record(model, out=out, **inputs)
                with torch.no_grad():
                    expected = model(**inputs, output_attentions=True, use_cache=False).attentions
                with safe_open(out, "pt") as file:
                    words = json.loads(file.metadata()["mask"])
                    for layer, weights in enumerate(expected):
                        found = file.get_tensor(f"blocks.{layer}.attn.hook_pattern")
                        torch.testing.assert_close(found, weights[0])
                self.assertNotIn("full", words)
                corollary3_of(check(self.folder / name, "--activations", str(out)))

    def test_masks(self) -> None:
        """-10,000 hides a key where it stands in every head and all other scores are far above."""
        plain = torch.tensor([[1.0, -10_002.0], [0.5, 2.0]]).expand(1, 2, 2, 2)
        seen = attention.Attention("", plain, plain, plain).visible()
        torch.testing.assert_close(seen[0, 1], torch.tensor([[True, False], [True, True]]))
        for place, score in (
            ((0, 1, 0, 1), 3.0),
            ((0, 0, 1, 1), -1000.0),
            ((0, 1, 0, 1), torch.nan),
        ):
            scores = plain.clone()
            scores[place] = score
            self.assertTrue(attention.Attention("", scores, scores, scores).visible().all())
        least = plain.clone()
        least[:, :, 0, 0] = torch.finfo(torch.float32).min
        seen = attention.Attention("", least, least, least).visible()
        self.assertEqual(seen[0, 0].tolist(), [[False, False], [True, True]])

    def test_several_calls(self) -> None:
        """One line names the module and the layers, and none where each run has one call."""
        for name, family in SEVERAL_CALLS.items():
            with self.subTest(family=name):
                self.assertRegex(
                    self._said(family),
                    r"^\S+: model.layers.0.self_attn calls attention 2 times, as layers 0, 1, and "
                    r"so do 2 others: of differential attention .* which no layer has\n$",
                )
        for name, family in {**SHARED, "T5": FAMILIES["T5"], "BERT": FAMILIES["BERT"]}.items():
            with self.subTest(family=name):
                self.assertEqual(self._said(family), "")

    def _said(self, family: Family) -> str:
        """What is said on stderr of a recording."""
        with contextlib.redirect_stderr(io.StringIO()) as said:
            record(family.model(), out=self.folder / "r", **family.inputs())
        return said.getvalue()

    def test_attention_in_blocks(self) -> None:
        """One line, which names the module, and no file."""
        for name, family in IN_BLOCKS.items():
            line = r"encoder.*: the weights of a softmax, \[1, .*\], are not multiplied with values"
            with self.subTest(family=name), self.assertRaisesRegex(Unsupported, line):
                record(family.model(), out=self.folder / "r", **family.inputs())
            self.assertEqual(list(self.folder.iterdir()), [])


class Padding(Temporary):
    """What the inputs say is padding is in no recording."""

    def test_is_cut(self) -> None:
        """On the left and on the right, the recording has the shape of the sequence without it."""
        for side in ("left", "right"):
            for name in ("Llama", "BERT", "GPT-OSS", "T5", "BLOOM"):
                with self.subTest(side=side, family=name):
                    self._one(FAMILIES[name], side)

    def _one(self, family: Family, side: str) -> None:
        inputs = family.inputs()
        tokens = inputs["input_ids"]
        mask = torch.ones_like(tokens)
        (mask[:, :5] if side == "left" else mask[:, -5:]).zero_()
        out = self.folder / "padded.safetensors"
        record(family.model(), out=out, **inputs, attention_mask=mask)
        with safe_open(out, "pt") as file:
            heads, queries, keys = file.get_tensor("blocks.0.attn.hook_pattern").shape
            sums = file.get_tensor("blocks.0.attn.hook_pattern").sum(-1)
            words = json.loads(file.metadata()["mask"])
        self.assertEqual((heads, queries, keys), (4, tokens.shape[1] - 5, tokens.shape[1] - 5))
        self.assertNotIn("recorded", words)
        if family.kind != "GptOssForCausalLM":
            torch.testing.assert_close(sums, torch.ones_like(sums))


class SelfCheck(Temporary):
    """A recording whose softmax is not what the model used is not written."""

    def _refused(self, wrong: dict[str, object]) -> None:
        out = self.folder / "wrong.safetensors"
        original = attention.Attention

        def changed(**values: object) -> attention.Attention:
            call = original(**values)  # type: ignore[arg-type]
            for word, change in wrong.items():
                setattr(call, word, change(getattr(call, word)))  # type: ignore[operator]
            return call

        model = FAMILIES["Llama"].model()
        with (
            mock.patch.object(attention, "Attention", changed),
            self.assertRaisesRegex(Unsupported, "model.layers.0.self_attn: softmax of what"),
        ):
            record(model, out=out, **FAMILIES["Llama"].inputs())
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_wrong_weights(self) -> None:
        """Weights of other heads."""
        self._refused({"weights": lambda weights: weights.flip(1)})

    def test_not_a_number(self) -> None:
        """NaN among the weights, and in all that the model computes."""
        self._refused({"weights": lambda weights: weights.where(weights < 0.5, torch.nan)})
        self._refused(dict.fromkeys(("weights", "scores", "query"), lambda x: x * torch.nan))

    def test_wrong_scores_everywhere(self) -> None:
        """Queries and scores that are a hundredth too large."""
        self._refused({"query": lambda q: q * 1.01, "scores": lambda s: s * 1.01})

    def test_scores_stand_in(self) -> None:
        """Where queries and keys are not all there is to the scores, the scores are recorded."""
        out = self.folder / "scores.safetensors"
        original = attention.Attention

        def changed(**values: object) -> attention.Attention:
            call = original(**values)  # type: ignore[arg-type]
            assert call.query is not None
            call.query = call.query * 1.01
            return call

        with mock.patch.object(attention, "Attention", changed):
            record(FAMILIES["Llama"].model(), out=out, **FAMILIES["Llama"].inputs())
        with safe_open(out, "pt") as file:
            self.assertIn("blocks.0.attn.hook_attn_scores", file.keys())
            self.assertNotIn("blocks.0.attn.hook_q", file.keys())

    def test_rounding_is_no_difference(self) -> None:
        """In 16 bits too what a model computes is recorded."""
        for dtype in (torch.bfloat16, torch.float16, torch.float64):
            for name in ("Llama", "Gemma 2", "GPT-OSS", "BERT", "BLOOM"):
                if (name, dtype) == ("GPT-OSS", torch.float64):
                    continue  # its experts do not compute in it
                with self.subTest(dtype=dtype, family=name):
                    model = FAMILIES[name].model().to(dtype)
                    record(model, out=self.folder / "short", **FAMILIES[name].inputs())


class ModelInMemory(Temporary):
    """What record() leaves of a model, and what it takes."""

    def test_is_left_as_it_was(self) -> None:
        """Attention, training and results are those from before."""
        model, inputs = FAMILIES["Llama"].model(), FAMILIES["Llama"].inputs()
        model.train()
        model.config._attn_implementation = "sdpa"
        record(model, out=self.folder / "r", **inputs)
        self.assertTrue(model.training)
        self.assertEqual(model.config._attn_implementation, "sdpa")

    def test_plain_torch(self) -> None:
        """A module of torch alone, with attention in one function."""

        class Block(torch.nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.project = torch.nn.Linear(16, 48)

            def forward(self, x: torch.Tensor) -> torch.Tensor:
                q, k, v = self.project(x).view(1, -1, 3, 2, 8).permute(2, 0, 3, 1, 4)
                return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)

        torch.manual_seed(0)
        out = self.folder / "block.safetensors"
        record(Block(), out=out, x=torch.randn(1, 12, 16))
        with safe_open(out, "pt") as file:
            self.assertEqual(file.metadata()["mask"], '["causal"]')
            self.assertEqual(file.get_slice("blocks.0.attn.hook_q").get_shape(), [12, 2, 8])

    def test_layers_of_torch(self) -> None:
        """torch's own layers, whose attention is a function of several steps."""
        torch.manual_seed(0)
        layer = torch.nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
        out = self.folder / "layers.safetensors"
        x = torch.randn(1, 12, 16)
        record(torch.nn.TransformerEncoder(layer, 2), out=out, src=x)
        with safe_open(out, "pt") as file:
            modules = json.loads(file.metadata()["modules"])
            pattern = file.get_tensor("blocks.0.attn.hook_pattern")
        self.assertEqual(modules, ["layers.0.self_attn", "layers.1.self_attn"])
        expected = layer.eval().self_attn(x, x, x, average_attn_weights=False)[1][0]
        torch.testing.assert_close(pattern, expected)

    def test_refusals(self) -> None:
        """One line each, and no file."""
        llama, inputs = FAMILIES["Llama"].model(), FAMILIES["Llama"].inputs()
        two = {"input_ids": inputs["input_ids"].repeat(2, 1)}
        out = self.folder / "none"
        for line, call in {
            "2 sequences in one call": lambda: record(llama, out=out, **two),
            "it has layers 0..1": lambda: record(llama, out=out, layers={7}, **inputs),
            "no softmax attention": lambda: record(
                torch.nn.Linear(2, 2), out=out, input=torch.ones(1, 2)
            ),
        }.items():
            with self.subTest(line), self.assertRaisesRegex(Unsupported, line):
                call()
        self.assertEqual(list(self.folder.iterdir()), [])


class CommandLine(Temporary):
    """record.py as a program."""

    def setUp(self) -> None:
        """Saves a model and a text."""
        super().setUp()
        self.model = self.folder / "llama"
        FAMILIES["Llama"].save(self.model)
        self.text = self.folder / "text"
        self.text.write_text("It was a bright cold day in April, and the clocks were striking.")
        self.out = self.folder / "out.safetensors"

    def _run(self, *arguments: str, code: int = 0) -> str:
        done = record_py(*arguments, "--out", str(self.out))
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def test_text(self) -> None:
        """What is written beside the attention."""
        self._run(str(self.model), "--text", str(self.text), "--tokens", "20", "--layers", "1")
        with safe_open(self.out, "pt") as file:
            about = file.metadata()
            self.assertEqual(
                {name.rsplit("_", 1)[1] for name in file.keys() if "blocks" in name},  # noqa: SIM118
                {"q", "k", "v", "pattern"},
            )
            self.assertEqual(len(file.get_tensor("tokens")), 20)
        self.assertEqual(json.loads(about["modules"]), ["model.layers.1.self_attn"])
        self.assertEqual("".join(json.loads(about["token_texts"])), self.text.read_text()[:20])
        self.assertEqual(json.loads(about["versions"])["torch"], torch.__version__)
        self.assertEqual(about["model"], str(self.model))

    def test_ids(self) -> None:
        """Ids in place of a text, without a pattern."""
        self._run(str(self.model), "--ids", "5,6,7,8", "--no-pattern")
        with safe_open(self.out, "pt") as file:
            self.assertNotIn("blocks.0.attn.hook_pattern", file.keys())

    def test_refusals(self) -> None:
        """One line each, exit code 2, and no file."""
        model, text = str(self.model), str(self.text)
        vision = self.folder / "vit"
        FAMILIES["ViT"].model().save_pretrained(vision)
        nothing = self.folder / "nothing"
        nothing.mkdir()
        for line, arguments in {
            "nothing": [str(nothing), "--text", text],
            "expected a UTF-8 text": [model, "--text", str(self.folder / "absent")],
            "expected a folder, a name": [text, "--text", text],
            "token id 100, expected 0..99": [model, "--ids", "3,100"],
            "expected 900 or more": [model, "--text", text, "--tokens", "900"],
            "pixel_values, not text": [str(vision), "--ids", "1,2"],
            "expected layers such as": [model, "--ids", "1,2", "--layers", "x"],
        }.items():
            with self.subTest(line):
                said = self._run(*arguments, code=2)
                self.assertIn(line, said)
                if "usage" not in said:
                    self.assertEqual(said.count("\n"), 1, said)
                self.assertFalse(self.out.exists())

    def test_cached(self) -> None:
        """The program of ./verify records once, and again where the text is another."""
        cache = self.folder / "cache"

        def run() -> Path:
            command = [sys.executable, str(RECORD / "cached.py"), str(self.model), str(self.text)]
            done = subprocess.run(
                [*command, str(cache)], capture_output=True, text=True, check=True
            )
            return Path(done.stdout.rstrip("\n"))

        first = run()
        written = first.stat().st_mtime_ns
        self.assertEqual(run(), first)
        self.assertEqual(first.stat().st_mtime_ns, written)
        self.text.write_text("Another text.")
        second = run()
        self.assertNotEqual(second, first)
        self.assertEqual(set(cache.iterdir()), {first, second})

    def test_interrupted(self) -> None:
        """Ctrl-C leaves nothing, or where it comes too late a file that is whole."""
        before = set(self.folder.iterdir())
        command = [sys.executable, str(RECORD / "record.py"), str(self.model), "--text"]
        for wait in (0.5, 4.0):
            running = subprocess.Popen([*command, str(self.text), "--out", str(self.out)])
            time.sleep(wait)
            running.send_signal(signal.SIGINT)
            code = running.wait(60)
            self.assertEqual(set(self.folder.iterdir()) - {self.out}, before)
            if self.out.exists():
                with safe_open(self.out, "pt") as file:
                    self.assertIn("blocks.1.attn.hook_v", file.keys())
            else:
                self.assertNotEqual(code, 0)
            self.out.unlink(missing_ok=True)


if __name__ == "__main__":
    unittest.main()
