"""Writes a safetensors file tensor by tensor, so that no more than one is held."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from types import TracebackType

import torch
from torch import Tensor

_TYPES = {
    torch.float64: "F64",
    torch.float32: "F32",
    torch.float16: "F16",
    torch.bfloat16: "BF16",
    torch.int64: "I64",
    torch.bool: "BOOL",
}


class TensorFile:
    """A safetensors file that appears whole, at `commit`, or not at all. A context manager: what is
    not committed when it ends leaves nothing."""

    def __init__(self, path: Path) -> None:
        """Raises OSError where the folder of `path` cannot be written to."""
        self._path = path
        self._entries: dict[str, dict[str, object]] = {}
        # The header, which comes first, is known when all tensors are: until then they are in a
        # file of no name.
        self._data = tempfile.TemporaryFile(dir=path.parent)  # noqa: SIM115

    def __enter__(self) -> TensorFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._data.close()

    def append(self, name: str, tensor: Tensor) -> None:
        """Adds a tensor of any shape in one of the types above; a name is given once."""
        assert name not in self._entries
        tensor = tensor.detach().cpu().contiguous()
        start = self._data.tell()
        if tensor.numel() > 0:
            self._data.write(tensor.reshape(-1).view(torch.uint8).numpy().data)
        self._entries[name] = {
            "dtype": _TYPES[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [start, self._data.tell()],
        }

    def _copy_to(self, out: int) -> None:
        """Appends the data to a file, without a way through the program."""
        self._data.flush()
        size, start = self._data.tell(), 0
        while start < size:
            start += os.sendfile(out, self._data.fileno(), start, size - start)

    def commit(self, metadata: dict[str, str]) -> None:
        """Writes the file, with its metadata, in place of what is there."""
        header = json.dumps({"__metadata__": metadata, **self._entries}).encode()
        header += b" " * (-len(header) % 8)
        with tempfile.NamedTemporaryFile(
            dir=self._path.parent, prefix=f".{self._path.name}.", delete=False
        ) as out:
            try:
                out.write(len(header).to_bytes(8, "little"))
                out.write(header)
                out.flush()
                self._copy_to(out.fileno())
                mask = os.umask(0)
                os.umask(mask)
                os.chmod(out.name, 0o666 & ~mask)
                os.replace(out.name, self._path)
            except BaseException:
                os.unlink(out.name)
                raise
