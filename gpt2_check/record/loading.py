"""Opens a model of transformers, with what it reads."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from attention import Unsupported

MOST_TOKENS = 1024  # read of a text where nothing else is said: weights are L x L for each head


@dataclass
class Opened:
    """A model in memory, its tokenizer, if there is one, and where they are from."""

    model: Any
    tokenizer: Any
    name: str
    revision: str


def _files(name: str) -> tuple[str, dict[str, str]]:
    """What from_pretrained takes: a folder or a name, and the file in it where that is GGUF."""
    path = Path(name)
    if path.is_file() and path.suffix == ".gguf":
        return str(path.parent), {"gguf_file": path.name}
    if path.exists() and not path.is_dir():
        raise Unsupported(f"{name}: expected a folder, a name on the Hub or a .gguf file")
    return name, {}


def _class_of(config: Any) -> Any:
    """The class that the checkpoint was saved from; GGUF does not say, and holds language
    models."""
    import transformers

    for name in config.architectures or []:
        if hasattr(transformers, name):
            return getattr(transformers, name)
    if config.architectures:
        raise Unsupported(
            f"{config.architectures[0]}: no class of transformers {transformers.__version__}, and "
            "code of a checkpoint is not run: load the model yourself and call record(model, ...)"
        )
    return transformers.AutoModelForCausalLM


def open_model(name: str, dtype: torch.dtype, device: str) -> Opened:
    """Loads a folder, a name in the Hub's cache or on the Hub, or a GGUF file. Raises Unsupported,
    in one line."""
    from transformers import AutoConfig, AutoTokenizer

    place, options = _files(name)
    try:
        config = AutoConfig.from_pretrained(place, **options)
        kind = _class_of(config)
        model = kind.from_pretrained(place, dtype=dtype, attn_implementation="eager", **options).to(
            device
        )
    except (OSError, ValueError, ImportError, RuntimeError) as error:
        raise Unsupported(f"{name}: {_first_line(error)}") from error
    try:
        tokenizer = AutoTokenizer.from_pretrained(place, **options)
    except Exception:  # a checkpoint without one raises what its class happens to miss
        tokenizer = None
    return Opened(model, tokenizer, name, getattr(config, "_commit_hash", None) or "")


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__


def most_tokens(opened: Opened) -> int:
    """How many tokens are read where nobody says: as many as the model reads, and MOST_TOKENS at
    most."""
    limits = [MOST_TOKENS]
    config = opened.model.config.get_text_config()
    for word in ("max_position_embeddings", "n_positions", "n_ctx", "max_seq_len"):
        if isinstance(getattr(config, word, None), int) and getattr(config, word) > 1:
            limits.append(getattr(config, word))
    if opened.tokenizer is not None:
        limits.append(opened.tokenizer.model_max_length)
    return int(min(limits))


def ids_of_text(opened: Opened, text: str) -> list[int]:
    """The tokens of a text, with those that the tokenizer puts around it."""
    if opened.tokenizer is None:
        raise Unsupported(f"{opened.name}: no tokenizer that transformers can read: give --ids")
    return list(opened.tokenizer(text, verbose=False)["input_ids"])


def token_texts(opened: Opened, ids: list[int]) -> list[str]:
    """What each token stands for, alone; nothing without a tokenizer."""
    return [] if opened.tokenizer is None else [opened.tokenizer.decode([token]) for token in ids]


def inputs_of(opened: Opened, ids: list[int]) -> dict[str, Any]:
    """What a model is called with to read tokens: a decoder beside an encoder reads the same, one
    to the right."""
    model = opened.model
    if getattr(model, "main_input_name", "input_ids") != "input_ids":
        raise Unsupported(
            f"{opened.name}: it reads {model.main_input_name}, not text: load it in Python and "
            "call record(model, ...) with them"
        )
    vocabulary = model.get_input_embeddings().num_embeddings
    if wrong := [token for token in ids if not 0 <= token < vocabulary]:
        raise Unsupported(f"{opened.name}: token id {wrong[0]}, expected 0..{vocabulary - 1}")
    tensor = torch.tensor([ids], device=model.device)
    inputs: dict[str, Any] = {"input_ids": tensor}
    takes = inspect.signature(model.forward).parameters
    if getattr(model.config, "is_encoder_decoder", False) and "decoder_input_ids" in takes:
        shift = getattr(model, "prepare_decoder_input_ids_from_labels", None)
        inputs["decoder_input_ids"] = tensor if shift is None else shift(labels=tensor)
    return inputs
