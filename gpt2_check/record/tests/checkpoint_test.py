"""Checkpoints of GPT-2's architecture by transformers, read by gpt2_check and record.py."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import torch
from families import FAMILIES
from support import check, corollary3_of, record_py
from truth import corollary3, softmax_inputs


class SavePretrained(unittest.TestCase):
    """Both ways have the counts that the model itself gives."""

    def test_both_ways(self) -> None:
        """In float32, in bfloat16 and in several files."""
        family = FAMILIES["GPT-2"]
        ids = family.inputs()["input_ids"]
        text = ",".join(str(token) for token in ids[0].tolist())
        for name, dtype, size in (
            ("F32", torch.float32, "5GB"),
            ("BF16", torch.bfloat16, "5GB"),
            ("shards", torch.float32, "20KB"),
        ):
            with self.subTest(name), tempfile.TemporaryDirectory() as place:
                folder = Path(place)
                model = family.model().to(dtype)
                model.save_pretrained(folder / "model", max_shard_size=size)
                files = list((folder / "model").glob("*.safetensors"))
                self.assertEqual(len(files) > 1, name == "shards")
                expected = corollary3(softmax_inputs(model.float(), {"input_ids": ids}))
                by_model = check(folder / "one", "--model", str(folder / "model"), "--tokens", text)
                out = folder / "recording"
                done = record_py(str(folder / "model"), "--ids", text, "--out", str(out))
                self.assertEqual(done.returncode, 0, done.stderr)
                by_record = check(folder / "two", "--activations", str(out))
                self.assertEqual(corollary3_of(by_model), expected)
                self.assertEqual(corollary3_of(by_record), expected)


if __name__ == "__main__":
    unittest.main()
