#!/bin/bash
# transformers 5.24.0: GPT2Tokenizer documents add_bos_token ("Whether or not to add an initial beginning of
# sentence token to the input"). In a tokenizer_config.json it is followed beside vocab.json and merges.txt, and
# left out in silence beside the same tokenizer's tokenizer.json: one folder's ids begin with the token, the
# other's do not. Ends with 0 where this is seen, with 1 where it is not.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
python3 -m venv "$work/v"
"$work/v/bin/pip" install -q transformers==5.24.0 tokenizers==0.23.3
cd "$work"
"$work/v/bin/python" - <<'END'
import json, os, transformers
from transformers import AutoTokenizer, GPT2Tokenizer

assert transformers.__version__ == "5.24.0"
entries = ["<|endoftext|>", *map(chr, range(33, 127)), "\u0120"]
vocabulary = {entry: i for i, entry in enumerate(entries)}
config = {"tokenizer_class": "GPT2Tokenizer", "bos_token": "<|endoftext|>", "add_bos_token": True}

os.mkdir("two_files")
json.dump(vocabulary, open("two_files/vocab.json", "w"))
open("two_files/merges.txt", "w").write("#version: 0.2\n")
json.dump({"model_type": "gpt2", "bos_token_id": 0, "eos_token_id": 0}, open("two_files/config.json", "w"))
json.dump(config, open("two_files/tokenizer_config.json", "w"))

GPT2Tokenizer(vocab=vocabulary, merges=[]).save_pretrained("one_file")  # without a token in front
json.dump({"model_type": "gpt2", "bos_token_id": 0, "eos_token_id": 0}, open("one_file/config.json", "w"))
json.dump(config, open("one_file/tokenizer_config.json", "w"))

ids = {folder: AutoTokenizer.from_pretrained(folder)("ab")["input_ids"] for folder in ("two_files", "one_file")}
print("add_bos_token: true; ids of 'ab':", ids)
raise SystemExit(0 if ids == {"two_files": [0, 65, 66], "one_file": [65, 66]} else 1)
END
