"""The Python of the READMEs, run as it stands with only the name of the model replaced."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import torch
from families import FAMILIES, tokenizer
from safetensors import safe_open
from support import ROOT, check, corollary3_of, python_blocks
from truth import corollary3, softmax_inputs

NAMES = {"meta-llama/Llama-3.2-1B": "Llama", "google-bert/bert-base-uncased": "BERT"}
TEXT = "It was a bright cold day in April."
PAGES = {"README.md": 1, "gpt2_check/README.md": 4}  # how many blocks each has


class Snippets(unittest.TestCase):
    """What a block records is what the model computes."""

    def test_blocks(self) -> None:
        """Each makes a recording of which the report has the model's own counts."""
        for page, count in PAGES.items():
            blocks = python_blocks(ROOT / page)
            self.assertEqual(len(blocks), count, page)
            for block in blocks:
                with self.subTest(page=page, block=block):
                    self._one(block)

    def _one(self, block: str) -> None:
        name = next(name for name in NAMES if f'"{name}"' in block)
        family = FAMILIES[NAMES[name]]
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            family.save(folder / "model")
            (folder / "gpt2_check").symlink_to(ROOT / "gpt2_check")
            script = block.replace(f'"{name}"', '"model"')
            subprocess.run([sys.executable, "-c", script], cwd=folder, check=True)
            recording = folder / "activations.safetensors"
            with safe_open(recording, "pt") as file:
                positions = file.get_slice("blocks.0.attn.hook_v").get_shape()[0]
            report = check(folder / "report", "--activations", str(recording))
        ids = tokenizer()(TEXT)["input_ids"]
        if positions == len(ids) + 1:  # TransformerLens puts a first token before the text
            ids = [tokenizer().bos_token_id, *ids]
        expected = corollary3(softmax_inputs(family.model(), {"input_ids": torch.tensor([ids])}))
        self.assertEqual(corollary3_of(report), expected)
        self.assertGreater(expected[0], 0)
        # Each has the model's outputs beside its weights and values, or record.py's own check.
        self.assertNotIn("without_outputs", report["gpt2"])


if __name__ == "__main__":
    unittest.main()
