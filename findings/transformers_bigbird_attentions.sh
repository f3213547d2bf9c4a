#!/bin/bash
# transformers 5.24.0: the weights that BigBird hands out with attention_type="block_sparse" are not those it weighs
# with. In eval() every random block is the first one, so that a query of the middle sees the keys of that block twice;
# the weights of one of the two are lost, and rows sum to 0.8 instead of 1. With the first block's weights counted
# twice they sum to 1. Ends with 0 where this is seen, with 1 where it is not.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
python3 -m venv "$work/v"
"$work/v/bin/pip" install -q torch==2.13.0 transformers==5.24.0
cd "$work"
HF_HUB_OFFLINE=1 "$work/v/bin/python" - <<'END'
import torch
from transformers import BigBirdConfig, BigBirdModel

torch.manual_seed(0)
model = BigBirdModel(BigBirdConfig(vocab_size=100, hidden_size=32, num_hidden_layers=1, num_attention_heads=4,
                                   intermediate_size=32, attention_type="block_sparse", block_size=4,
                                   num_random_blocks=1)).eval()
with torch.no_grad():
    weights = model(torch.arange(3, 67)[None], output_attentions=True).attentions[0][0].double()
middle = weights[:, 4:-4]  # the first and the last block see all keys
sums = middle.sum(-1)
twice = sums + middle[..., :4].sum(-1)
print(f"sums of rows: {sums.min():.4f} to {sums.max():.4f}")
print(f"with the first block counted twice: {twice.min():.4f} to {twice.max():.4f}")
raise SystemExit(0 if sums.max() < 0.9 and (twice - 1).abs().max() < 1e-5 else 1)
END
