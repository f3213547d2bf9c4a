"""Tests the peer: its numbers and verdicts are those of the programs, and a difference is seen."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save_file

import check
import decisions
import hypothesis_peer
from experiments import measure
from false_claims import FALSE_CLAIMS
from gradient import STEPS, softmax_norm
from recording import make_recording, read_heads

PROGRAMS = Path(os.environ["ATTN_PROGRAMS"])
HERE = Path(__file__).resolve().parent


def refusal(path: Path) -> str:
    """What reading a recording says on stderr."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.suppress(SystemExit):
        list(read_heads(path))
    return said.getvalue()


def in_double(field: str, value: Any) -> Any:
    """A field of a case that `claims show` prints, as the statements in numpy read it."""
    if isinstance(value, list):
        return [in_double(field, entry) for entry in value]
    if not isinstance(value, str) or field == "normalizer":
        return value
    return Fraction(value) if field == "weights" else float(Fraction(value))


class Peer(unittest.TestCase):
    """One recording of 24 heads of 48 tokens serves all tests."""

    @classmethod
    def setUpClass(cls) -> None:
        """Measures the recording on both sides."""
        torch.set_default_dtype(torch.double)
        cls.folder = tempfile.TemporaryDirectory()
        cls.recording = Path(cls.folder.name) / "heads.safetensors"
        make_recording(cls.recording, tokens=48, width=8, heads=24)
        out = Path(cls.folder.name) / "report"
        command = [PROGRAMS / "gpt2_check", "run", "--activations", cls.recording, "--out", out]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        cls.report = json.loads((out / "report.json").read_text())
        with torch.inference_mode():
            cls.numbers = measure(cls.recording, seed=1)

    @classmethod
    def tearDownClass(cls) -> None:
        """Removes the recording."""
        cls.folder.cleanup()

    def test_numbers_are_those_of_the_report(self) -> None:
        """And everything that is measured was compared."""
        found = check.compare(self.numbers, self.report)
        self.assertEqual(found.failures, [])
        self.assertEqual(found.counts["distance of a head"], 48)
        self.assertEqual(found.counts["mean T||J||"], 20)
        self.assertGreater(found.counts["critical N, full"], 10)
        self.assertGreater(len(found.counts), 25)

    def seen(self, moved: dict[str, Any], what: object) -> None:
        """Expects that a difference is seen."""
        self.assertTrue(check.compare(moved, self.report).failures, what)

    def test_a_number_of_a_head_that_is_off_is_seen(self) -> None:
        """Of each kind, just beyond what it may be off."""
        for name in (*check.ROUNDED_OF_HEAD, *check.SHARES_OF_HEAD):
            moved = copy.deepcopy(self.numbers)
            of_head = moved["heads"][7]
            of_head[name] += 0.003 if name in check.SHARES_OF_HEAD else 2e-9 * of_head[name]
            self.seen(moved, name)

    def test_a_number_of_a_figure_that_is_off_is_seen(self) -> None:
        """Of each kind at each point."""
        steps = tuple(f"top {epsilon}" for epsilon in STEPS)
        rounded = {
            "distance": check.ROUNDED,
            "separability": check.ROUNDED_BOUNDS,
            "gradient": ("mean_t_norm", "largest_t_norm"),
            "quarter": ("distance",),
        }
        shares = {"separability": check.SHARES, "gradient": steps}
        sampled = {
            "distance": ("expected",),
            "quarter": ("expected",),
            "separability": ("random_share_all_rows",),
        }
        seen = 0
        for place, point in enumerate(self.numbers["points"]):
            if point["kind"] == "distance" and point["at"] < 48 and point["second"] != 5:
                continue  # against L the report has N = 5 alone
            if point["kind"] == "quarter" and (point["without_first"] or point["at"] < 32):
                continue  # nor these
            for kinds, factor, more in (
                (rounded, 1 + 2e-9, 1e-11),
                (shares, 1, 3e-3),
                (sampled, 1.3, 0.1),
            ):
                for name in kinds.get(point["kind"], ()):
                    if name not in point["by_head"]:
                        continue  # random sets without the first token
                    moved = copy.deepcopy(self.numbers)
                    of_head = moved["points"][place]["by_head"]
                    of_head[name] = [factor * value + more for value in of_head[name]]
                    self.seen(moved, (point["kind"], point["at"], point["second"], name))
                    seen += 1
        self.assertGreater(seen, 100)

    def test_what_is_missing_is_seen(self) -> None:
        """A head, a point of a figure, or a critical N that is not there."""
        for part in ("heads", "points"):
            less = copy.deepcopy(self.numbers)
            less[part].pop()
            self.seen(less, part)
        other = copy.deepcopy(self.numbers)
        for point in other["critical_n"]:
            point["n"] = 1 if point["n"] is None else point["n"] + 1
        self.seen(other, "critical_n")

    def test_norms_are_those_of_the_matrices(self) -> None:
        """Also of ties, of one weight, and of weights far apart."""
        rows = torch.rand(50, 7).softmax(-1) ** torch.linspace(1, 40, 50)[:, None]
        rows = torch.cat(
            [rows / rows.sum(-1, keepdim=True), torch.eye(7), torch.full((1, 7), 1 / 7)]
        )
        for row, found in zip(rows, softmax_norm(rows), strict=True):
            exact = np.linalg.eigvalsh(torch.diag(row) - torch.outer(row, row)).max()
            self.assertAlmostEqual(float(found), exact, delta=1e-14)

    def test_verdicts_are_those_of_the_program(self) -> None:
        """Of both arithmetics; nothing is left undecided."""
        claims = PROGRAMS / "claims"
        for entry in decisions.decided(self.recording, claims, count=12, count_of_iv=2):
            self.assertEqual((entry["differ"], entry["decided"]), (0, entry["cases"]), entry)

    def test_false_claims_are_those_of_the_program(self) -> None:
        """Each is violated by the witness that `claims show` prints."""
        claims = PROGRAMS / "claims"
        self.assertEqual(FALSE_CLAIMS.keys(), hypothesis_peer.refuted(claims))
        for name, claim in FALSE_CLAIMS.items():
            shown = subprocess.run([claims, "show", name], capture_output=True, text=True).stdout
            witness = json.loads(re.search(r"^recheck: echo '(.*)'", shown, re.M).group(1))[0]
            case = {field: in_double(field, v) for field, v in witness["case"].items()}
            lhs, rhs = claim.sides(case)
            self.assertGreater(lhs, rhs, name)

    def test_what_hypothesis_finds_is_confirmed(self) -> None:
        """By the program, from the exact case."""
        for entry in hypothesis_peer.tried(PROGRAMS / "claims", seeds=1):
            self.assertEqual(entry["not_confirmed"], 0, entry)

    def test_other_recordings_are_refused(self) -> None:
        """In one line that says what is wrong."""
        self.assertEqual(refusal(Path("nowhere")), "peer: no recording at nowhere\n")
        scores = HERE.parents[1] / "recordings" / "gpt2_124m_scores_ex0.safetensors"
        self.assertIn("layer 0 needs q, k and v, or pattern and v", refusal(scores))
        made = Path(self.folder.name) / "other.safetensors"
        row = torch.zeros(4, 1, 2)
        for more, metadata, said in (
            ({}, {"mask": "full"}, "the mask of layer 0 is 'full'"),
            ({"sink": torch.zeros(1)}, {}, "layer 0 has sink, which this cannot read"),
            ({"q": row[:3]}, {}, "layer 0 has not as many queries as keys"),
        ):
            tensors = {"q": row, "k": row.clone(), "v": row.clone()} | more
            named = {f"blocks.0.attn.hook_{name}": t.contiguous() for name, t in tensors.items()}
            save_file(named, made, metadata=metadata)
            self.assertIn(said, refusal(made))
        save_file({"x": row}, made)
        self.assertIn("has no tensor named blocks.0.attn.hook_", refusal(made))

    def test_run_says_what_is_missing(self) -> None:
        """A program, a recording, a library."""
        run = [sys.executable, HERE / "run"]
        for options, python, said in (
            (["--programs", "nowhere"], sys.executable, "run: no program nowhere/gpt2_check"),
            (["--programs", PROGRAMS, "--recording", "x"], sys.executable, "run: no recording x"),
            (["--programs", PROGRAMS], "no/python", "run: PYTHON: 'no/python' does not run"),
        ):
            environment = os.environ | {"PYTHON": str(python)}
            done = subprocess.run([*run, *options], env=environment, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertTrue(done.stderr.startswith(said), done.stderr)


if __name__ == "__main__":
    unittest.main()
