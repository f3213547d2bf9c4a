#!/bin/bash
# transformers 5.24.0: what DeepSeek-V3.2 computes depends on the name of its attention function. The keys that its
# indexer leaves out are masked only where the function is called "eager" or "sdpa"; one that is registered under a name
# of its own and hands everything on to the model's eager attention sees no such mask, so that a query weighs all keys,
# and its weights and the logits are others. Ends with 0 where this is seen, with 1 where it is not.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
python3 -m venv "$work/v"
"$work/v/bin/pip" install -q torch==2.13.0 transformers==5.24.0
cd "$work"
HF_HUB_OFFLINE=1 "$work/v/bin/python" - <<'END'
import torch
from transformers import AttentionInterface, AttentionMaskInterface, DeepseekV32Config, DeepseekV32ForCausalLM
from transformers.masking_utils import eager_mask
from transformers.models.deepseek_v32.modeling_deepseek_v32 import eager_attention_forward

seen = []


def handed_on(*args, **kwargs):
    output = eager_attention_forward(*args, **kwargs)
    seen.append(int((output[1][0, :, -1] > 0).sum(-1).max()))
    return output


AttentionInterface.register("handed_on", handed_on)
AttentionMaskInterface.register("handed_on", eager_mask)
torch.manual_seed(0)
model = DeepseekV32ForCausalLM(DeepseekV32Config(
    vocab_size=100, hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=4,
    num_key_value_heads=4, q_lora_rank=16, kv_lora_rank=16, qk_rope_head_dim=8, qk_nope_head_dim=16, v_head_dim=12,
    moe_intermediate_size=16, n_routed_experts=4, num_experts_per_tok=2, n_group=1, topk_group=1,
    first_k_dense_replace=1, index_topk=8, index_head_dim=16, index_n_heads=2,
    attn_implementation="eager")).eval()
tokens = torch.arange(3, 27)[None]
with torch.no_grad():
    weights = model(tokens, output_attentions=True, use_cache=False).attentions[0]
    eager = model(tokens, use_cache=False).logits
    model.set_attn_implementation("handed_on")
    other = model(tokens, use_cache=False).logits
keys = int((weights[0, :, -1] > 0).sum(-1).max())
print(f"keys that the last of 24 queries weighs: {keys} by eager, {seen[0]} by the function that hands on to it")
print(f"largest difference of a logit: {(eager - other).abs().max():.2g}")
raise SystemExit(0 if (keys, seen[0]) == (8, 24) and not torch.equal(eager, other) else 1)
END
