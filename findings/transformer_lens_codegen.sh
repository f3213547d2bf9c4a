#!/bin/bash
# TransformerLens 4.3.0 (with transformers 5.24.0): a CodeGen model, whose adapter it has, boots as a TransformerBridge
# and cannot be run: every forward pass ends with an AttributeError, for the attention has no `embed_positions`; the
# model itself runs. Ends with 0 where this is seen, with 1 where it is not.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
python3 -m venv "$work/v"
"$work/v/bin/pip" install -q torch==2.13.0 transformers==5.24.0 transformer-lens==4.3.0 tokenizers==0.23.3
cd "$work"
HF_HUB_OFFLINE=1 "$work/v/bin/python" - <<'END'
import torch
from tokenizers import Tokenizer, models
from transformers import CodeGenConfig, CodeGenForCausalLM, PreTrainedTokenizerFast
from transformer_lens.model_bridge import TransformerBridge

words = {word: number for number, word in enumerate(["<pad>", "<s>", "</s>", "<unk>", *map(str, range(96))])}
tokenizer = PreTrainedTokenizerFast(
    tokenizer_object=Tokenizer(models.WordLevel(words, unk_token="<unk>")),
    pad_token="<pad>", bos_token="<s>", eos_token="</s>", unk_token="<unk>")
model = CodeGenForCausalLM(CodeGenConfig(vocab_size=100, n_positions=64, n_embd=32, n_layer=2, n_head=4, rotary_dim=4,
                                         bos_token_id=1, eos_token_id=2)).eval()
model.save_pretrained("model")
tokenizer.save_pretrained("model")
ids = torch.arange(3, 20)[None]
with torch.no_grad():
    print("transformers:", tuple(model(ids).logits.shape))
try:
    TransformerBridge.boot_transformers("model")(ids)
    print("TransformerLens: runs")
    raise SystemExit(1)
except AttributeError as error:
    print("TransformerLens:", error)
    raise SystemExit(0 if "embed_positions" in str(error) else 1)
END
