#!/usr/bin/env python3
"""Records what every attention layer of a transformer reads, for `./verify --activations`.

    python3 gpt2_check/record/record.py MODEL --text F --out R.safetensors

In Python, of a model in memory: `record(model, out="R.safetensors", **inputs)`. README.md of
gpt2_check has more."""

from __future__ import annotations

import argparse
import inspect
import json
import os
import platform
import re
import signal
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

if not sys.stderr.isatty():
    os.environ.setdefault("TQDM_DISABLE", "1")  # transformers has bars of its own

try:
    import safetensors  # noqa: F401  # transformers reads checkpoints by it
    import torch
    import transformers
except ImportError as error:
    print(
        f"record: {error.name} is missing: pip install -r {Path(__file__).parent}/requirements.txt",
        file=sys.stderr,
    )
    sys.exit(2)
from torch import Tensor
from tqdm import tqdm

from attention import Attention, Unsupported, watch
from loading import Opened, ids_of_text, inputs_of, most_tokens, open_model, token_texts
from recording import Layer, layer_of
from set_size import measure_set_sizes
from tensor_file import TensorFile

_BAD_INPUT = 2
_CROSS = re.compile("cross|encdec|encoder_attn|enc_attn", re.IGNORECASE)


def _padding(call: Attention, inputs: dict[str, Any]) -> tuple[Tensor | None, Tensor | None]:
    """[query] and [key], booleans: the positions that are no padding; None where there is none.
    Padding is what the inputs' masks say is padding; which of them a layer reads shows in the keys
    that no query sees."""
    masks = {
        name: inputs[name]
        for name in ("attention_mask", "decoder_attention_mask")
        if inputs.get(name) is not None
    }
    if all(bool(mask.all()) for mask in masks.values()):
        return None, None
    keys = call.visible()[0].any(0).any(0).cpu()
    queries: Tensor | None = keys
    if _CROSS.search(call.module) or len(keys) != call.weights.shape[-2]:
        own = masks.get("decoder_attention_mask")
        queries = None if own is None else own[0].bool().cpu()
    return queries, keys


def _called_with(model: Any, inputs: dict[str, Any]) -> dict[str, Any]:
    """The inputs, with what saves memory: no cache of keys, and logits of the last token alone."""
    takes = inspect.signature(model.forward).parameters
    saves = {"use_cache": False, "logits_to_keep": 1, "return_dict": True}
    return {**{word: value for word, value in saves.items() if word in takes}, **inputs}


def _bar(what: str, unit: str, total: int | None = None) -> Any:
    """A bar on a terminal, and nothing elsewhere."""
    hidden = not sys.stderr.isatty()
    return tqdm(total=total, desc=what, unit=unit, leave=False, disable=hidden)


class _Runs:
    """The calls of attention by the run of their module."""

    def __init__(self) -> None:
        self._calls: dict[tuple[str, int, torch.Size], list[int]] = {}

    def add(self, index: int, call: Attention) -> None:
        """Notes a call. Self and cross attention of one module differ in their queries and keys."""
        run = (call.module, call.run, call.weights.shape[-2:])
        self._calls.setdefault(run, []).append(index)

    def several(self) -> str | None:
        """A line on modules that call attention several times in a run; None where none does."""
        found = [(run[0], calls) for run, calls in self._calls.items() if len(calls) > 1]
        if not found:
            return None
        (module, calls), others = found[0], len(found) - 1
        layers = ", ".join(str(index) for index in calls)
        return (
            f"{module} calls attention {len(calls)} times, as layers {layers}"
            f"{f', and so do {others} others' if others else ''}: of differential attention "
            "the values are multiplied by the difference of these weights, which no layer has"
        )


class _Writer:
    """Writes the layers that it is told of."""

    def __init__(
        self,
        file: TensorFile,
        inputs: dict[str, Any],
        layers: Collection[int] | None,
        pattern: bool,
        bar: Any,
    ) -> None:
        self.calls = 0
        self.runs = _Runs()
        self.written: list[tuple[str, Layer]] = []  # the module, and the layer without its tensors
        self._file, self._inputs, self._layers, self._pattern, self._bar = (
            file,
            inputs,
            layers,
            pattern,
            bar,
        )

    def visit(self, call: Attention) -> Tensor:
        """Records a call; the model goes on with its own weights."""
        index = self.calls
        self.calls += 1
        self._bar.update()
        self.runs.add(index, call)
        if self._layers is not None and index not in self._layers:
            return call.weights
        layer = layer_of(call, *_padding(call, self._inputs))
        for name, tensor in layer.tensors.items():
            if name != "pattern" or self._pattern:
                self._file.append(f"blocks.{index}.attn.hook_{name}", tensor)
        layer.tensors = {}
        self.written.append((call.module, layer))
        return call.weights


def _metadata(name: str, revision: str, layers: list[tuple[str, Layer]]) -> dict[str, str]:
    farthest = max(layer.difference for _, layer in layers)
    return {
        "model": name,
        "revision": revision,
        "temperatures": json.dumps([layer.temperature for _, layer in layers]),
        "mask": json.dumps([layer.mask for _, layer in layers]),
        "modules": json.dumps([module for module, _ in layers]),
        "checked": f"softmax of what is recorded is within {farthest:.2g} of the "
        "weights that the model used",
        "versions": json.dumps(
            {
                "python": platform.python_version(),
                "torch": torch.__version__,
                "transformers": transformers.__version__,
            }
        ),
    }


def record(
    model: Any,
    *,
    out: str | Path,
    layers: Collection[int] | None = None,
    pattern: bool = True,
    name: str | None = None,
    revision: str = "",
    notes: dict[str, str] | None = None,
    tokens: Tensor | None = None,
    **inputs: Any,
) -> None:
    """Records one forward pass of a model in memory: any of transformers, or of torch, whose
    attention is a softmax.

    `inputs` is what the model is called with, of one sequence: `input_ids` [1, position],
    `pixel_values`, ...; what `attention_mask` and `decoder_attention_mask` say is padding is cut
    off. Layer i of the recording is the i-th call
    of attention: of an encoder-decoder first the encoder's, then of each decoder layer its own and
        the cross attention.

    out: the safetensors file to write; it appears whole or not at all.
    layers: which calls are recorded, from 0 on; None records all.
    pattern: whether the weights that the model used are recorded beside what they come from.
    name, revision: of the model, for the report; the name is by default that of its configuration.
    notes: more metadata.
    tokens: [position], the ids that were read, written beside.

    Raises Unsupported, in one line, for what cannot be recorded, and where softmax of what would be
    recorded is not what the model used."""
    config = getattr(model, "config", None)
    total = getattr(config, "num_hidden_layers", None)
    with TensorFile(Path(out)) as file, _bar("recording", " layers", total) as bar:
        writer = _Writer(file, inputs, layers, pattern, bar)
        watch(model, writer.visit, **_called_with(model, inputs))
        if not writer.written:
            missing = (
                "no softmax attention was seen"
                if writer.calls == 0
                else (f"it has layers 0..{writer.calls - 1}, and none that was named")
            )
            raise Unsupported(f"{type(model).__name__}: {missing}: nothing is recorded")
        if tokens is not None:
            file.append("tokens", tokens)
        called = name or getattr(config, "_name_or_path", "") or type(model).__name__
        file.commit({**_metadata(called, revision, writer.written), **(notes or {})})
    if line := writer.runs.several():
        print(f"{called}: {line}", file=sys.stderr)


def _layers(value: str) -> set[int]:
    """The numbers of a list such as 0,3-5."""
    found: set[int] = set()
    for part in value.split(","):
        match = re.fullmatch(r"(\d{1,4})(?:-(\d{1,4}))?", part)
        if not match:
            raise argparse.ArgumentTypeError(f"expected layers such as 0,3-5, found '{value}'")
        found.update(range(int(match[1]), int(match[2] or match[1]) + 1))
    return found


def _ids(value: str) -> list[int]:
    if not re.fullmatch(r"\d{1,9}(,\d{1,9})*", value):
        raise argparse.ArgumentTypeError(
            f"expected token ids with commas between them, found '{value}'"
        )
    return [int(part) for part in value.split(",")]


def _count(value: str) -> int:
    if not re.fullmatch(r"[1-9]\d{0,6}", value) or int(value) < 2:
        raise argparse.ArgumentTypeError(f"expected a number of tokens from 2 on, found '{value}'")
    return int(value)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="record", description="Records the attention of a transformer for ./verify."
    )
    parser.add_argument(
        "model", help="a folder, a name in the Hub's cache or on the Hub, or a GGUF file"
    )
    read = parser.add_mutually_exclusive_group(required=True)
    read.add_argument("--text", type=Path, help="a UTF-8 text that the model reads")
    read.add_argument(
        "--ids", type=_ids, help="token ids, with commas between them, in place of a text"
    )
    parser.add_argument("--out", type=Path, required=True, help="the safetensors file to write")
    parser.add_argument(
        "--tokens",
        type=_count,
        help="how many tokens are read; by default as many as the model reads, 1024 at most",
    )
    parser.add_argument(
        "--layers", type=_layers, help="which calls of attention are recorded, such as 0,3-5"
    )
    parser.add_argument(
        "--dtype",
        choices=("float32", "float64", "bfloat16", "float16"),
        default="float32",
        help="the type that the model computes in",
    )
    parser.add_argument("--device", default="cpu", help="where the model runs, as torch names it")
    parser.add_argument(
        "--set-size",
        type=_count,
        metavar="N",
        help="measure how many tokens a head needs, in contexts of up to N tokens",
    )
    parser.add_argument(
        "--no-pattern",
        action="store_true",
        help="leave out the weights, which are softmax of the rest",
    )
    return parser.parse_args()


def _tokens(opened: Opened, arguments: argparse.Namespace) -> list[int]:
    """The ids that the model reads."""
    if arguments.ids is not None:
        ids: list[int] = arguments.ids
    else:
        try:
            ids = ids_of_text(opened, arguments.text.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise Unsupported(
                f"{arguments.text}: expected a UTF-8 text that can be read: {error}"
            ) from error
    most = arguments.tokens or (len(ids) if arguments.ids is not None else most_tokens(opened))
    if len(ids) < 2 or (arguments.tokens or 0) > len(ids):
        raise Unsupported(
            f"{arguments.text or '--ids'}: {len(ids)} tokens, expected {arguments.tokens or 2} or "
            "more"
        )
    if len(ids) > most and arguments.tokens is None:
        print(f"{arguments.text}: {len(ids)} tokens; the first {most} are read", file=sys.stderr)
    return ids[:most]


def _run() -> None:
    arguments = _arguments()
    if not arguments.out.absolute().parent.is_dir() or arguments.out.is_dir():
        raise Unsupported(f"--out {arguments.out}: expected a file in a folder that is there")
    transformers.logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    transformers.logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    opened = open_model(arguments.model, getattr(torch, arguments.dtype), arguments.device)
    ids = _tokens(opened, arguments)
    inputs = inputs_of(opened, ids)
    texts = token_texts(opened, ids)
    notes = {"token_texts": json.dumps(texts)} if texts else {}
    try:
        if arguments.set_size is not None:
            with _bar("passes of experiment 6", " texts") as bar:
                sizes = measure_set_sizes(opened.model, ids, arguments.set_size, bar.update)
            notes["set_sizes"] = json.dumps(sizes)
        record(
            opened.model,
            out=arguments.out,
            layers=arguments.layers,
            pattern=not arguments.no_pattern,
            name=opened.name,
            revision=opened.revision,
            notes=notes,
            tokens=torch.tensor(ids),
            **inputs,
        )
    except (IndexError, RuntimeError, ValueError, TypeError) as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise Unsupported(
            f"{opened.name}: it cannot read these {len(ids)} tokens: {lines[0]}"
        ) from error


def _stop(number: int, _: Any) -> None:
    sys.exit(128 + number)


def main() -> int:
    """The program: 0, or 2 for bad input, with one line that says what."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
    try:
        _run()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is written stays, and is no failure
    except (Unsupported, OSError) as error:
        print(f"record: {error}", file=sys.stderr)
        return _BAD_INPUT
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return 0


if __name__ == "__main__":
    sys.exit(main())
