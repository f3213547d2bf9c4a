#!/usr/bin/env bash
# transformer-lens 4.3.0 with transformers 5.24.0: of BERT the hook blocks.0.attn.hook_attn_scores of TransformerBridge
# holds the weights after softmax, the same numbers as hook_pattern; of Llama it holds the scores before it. Seen:
#     BERT: hook_attn_scores is hook_pattern: True
#     Llama: hook_attn_scores is hook_pattern: False
# Exits with 0 while it is so, else with 1.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q torch==2.13.0 transformers==5.24.0 transformer-lens==4.3.0 tokenizers==0.23.3
cat >"$work/try.py" <<'END'
import sys
import torch
import transformers
from tokenizers import Tokenizer, models
from transformer_lens.model_bridge import TransformerBridge

sizes = dict(hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=4, vocab_size=100)
words = Tokenizer(models.WordLevel({"<unk>": 0, "a": 1}, unk_token="<unk>"))
fast = transformers.PreTrainedTokenizerFast(
    tokenizer_object=words, unk_token="<unk>", eos_token="a", bos_token="a", pad_token="a", cls_token="a", sep_token="a"
)
kinds = {
    "BERT": transformers.BertForMaskedLM(transformers.BertConfig(**sizes)),
    "Llama": transformers.LlamaForCausalLM(transformers.LlamaConfig(**sizes)),
}
for name, model in kinds.items():
    folder = f"{sys.argv[1]}/{name}"
    model.save_pretrained(folder)
    fast.save_pretrained(folder)
    _, cache = TransformerBridge.boot_transformers(folder).run_with_cache(torch.arange(3, 27)[None])
    scores, pattern = (cache[f"blocks.0.attn.hook_{word}"] for word in ("attn_scores", "pattern"))
    print(f"{name}: hook_attn_scores is hook_pattern:", torch.allclose(scores, pattern, atol=1e-6))
END
"$work/venv/bin/python" "$work/try.py" "$work" 2>/dev/null | tee "$work/said"
grep -q '^BERT: hook_attn_scores is hook_pattern: True$' "$work/said"
grep -q '^Llama: hook_attn_scores is hook_pattern: False$' "$work/said"
