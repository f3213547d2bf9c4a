#!/usr/bin/env python3
"""Records a model on a text, once: `cached.py MODEL TEXT FOLDER` prints where the recording is.

It is recorded again where the weights, the text, this program or a library it goes by is another.
"""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

_LIBRARIES = ("torch", "transformers", "safetensors", "tokenizers")


def _hub() -> Path:
    """Where the cache of the Hub is, as huggingface_hub finds it."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    hub = os.environ.get("HF_HOME") or f"{home}/huggingface"
    return Path(os.environ.get("HF_HUB_CACHE") or f"{hub}/hub")


def _files(model: str) -> list[Path]:
    """The files of a checkpoint; none of one that is not here yet."""
    path = Path(model)
    if path.is_file():
        return [path]
    if not path.is_dir():
        repository = _hub() / ("models--" + model.replace("/", "--"))
        main = repository / "refs" / "main"
        path = repository / "snapshots" / (main.read_text().strip() if main.is_file() else "none")
    return sorted(file for file in path.iterdir() if file.is_file()) if path.is_dir() else []


def _parts(model: str, text: Path) -> Iterator[bytes]:
    """All that a recording hangs on."""
    for file in [*_files(model), text, *sorted(Path(__file__).parent.glob("*.py"))]:
        with file.open("rb") as stream:
            yield hashlib.file_digest(stream, "sha256").digest()
    yield model.encode(errors="surrogateescape")
    yield platform.python_version().encode()
    for library in _LIBRARIES:
        yield version(library).encode()


def main() -> int:
    """The program: what record.py exits with."""
    model, text, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    if not _files(model) and not Path(model).exists():
        # What is on the Hub comes into its cache first, so that its key is known.
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HFValidationError

        try:
            snapshot_download(model, allow_patterns=["*.json", "*.safetensors", "*.model", "*.txt"])
        except (OSError, ValueError, HFValidationError, RuntimeError) as error:
            line = " ".join(str(error).split())
            print(f"record: {model}: no folder, and not from the Hub: {line}", file=sys.stderr)
            return 2
    key = hashlib.sha256(b"".join(_parts(model, text))).hexdigest()[:16]
    out = folder / f"{Path(model).name}-{key}.safetensors"
    if not out.exists():
        folder.mkdir(parents=True, exist_ok=True)
        script = Path(__file__).with_name("record.py")
        command = [sys.executable, str(script), model, "--text", str(text), "--out", str(out)]
        code = subprocess.run([*command, "--no-pattern"], check=False).returncode
        if code != 0:
            return code
    print(out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
