#!/usr/bin/env bash
# transformer-lens 4.3.0 with transformers 5.24.0: of Gemma 4 the hook blocks.0.attn.hook_v of TransformerBridge holds the
# values from before their norm: its hook_pattern times them is not its hook_z, by more than the size of hook_z. Of Llama
# it is. Of DeepSeek-V3 hook_v is [batch, head, position, 12], other hooks' order turned, and hook_z has its 48 numbers of
# a position as 6 heads of 8, where the model has 4 heads of 12. Seen:
#     Llama: pattern times v is z: True; v [1, 24, 4, 8], z [1, 24, 4, 8]
#     Gemma 4: pattern times v is z: False; v [1, 24, 4, 8], z [1, 24, 4, 8]
#     DeepSeek-V3: v [1, 4, 24, 12], z [1, 24, 6, 8]
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

sizes = dict(hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=4, num_key_value_heads=4,
             vocab_size=100)
words = Tokenizer(models.WordLevel({"<unk>": 0, "a": 1}, unk_token="<unk>"))
fast = transformers.PreTrainedTokenizerFast(
    tokenizer_object=words, unk_token="<unk>", eos_token="a", bos_token="a", pad_token="a"
)
torch.manual_seed(0)
kinds = {
    "Llama": transformers.LlamaForCausalLM(transformers.LlamaConfig(**sizes)),
    "Gemma 4": transformers.Gemma4ForCausalLM(
        transformers.Gemma4TextConfig(
            **sizes, head_dim=8, global_head_dim=8, vocab_size_per_layer_input=100
        )
    ),
    "DeepSeek-V3": transformers.DeepseekV3ForCausalLM(
        transformers.DeepseekV3Config(
            **sizes, q_lora_rank=16, kv_lora_rank=16, qk_rope_head_dim=8, qk_nope_head_dim=16, v_head_dim=12,
            n_routed_experts=4, num_experts_per_tok=2, moe_intermediate_size=16, n_group=2, topk_group=1,
            first_k_dense_replace=1,
        )
    ),
}
for name, model in kinds.items():
    folder = f"{sys.argv[1]}/{name}"
    model.save_pretrained(folder)
    fast.save_pretrained(folder)
    _, cache = TransformerBridge.boot_transformers(folder).run_with_cache(torch.arange(3, 27)[None])
    pattern, v, z = (cache[f"blocks.0.attn.hook_{word}"] for word in ("pattern", "v", "z"))
    sizes_of = f"v {list(v.shape)}, z {list(z.shape)}"
    if v.shape != z.shape:
        print(f"{name}: {sizes_of}")
        continue
    made = torch.einsum("bhqk,bkhd->bqhd", pattern, v)
    print(f"{name}: pattern times v is z: {torch.allclose(made, z, atol=1e-5)}; {sizes_of}")
END
"$work/venv/bin/python" "$work/try.py" "$work" 2>/dev/null | tee "$work/said"
grep -qxF 'Llama: pattern times v is z: True; v [1, 24, 4, 8], z [1, 24, 4, 8]' "$work/said"
grep -qxF 'Gemma 4: pattern times v is z: False; v [1, 24, 4, 8], z [1, 24, 4, 8]' "$work/said"
grep -qxF 'DeepSeek-V3: v [1, 4, 24, 12], z [1, 24, 6, 8]' "$work/said"
