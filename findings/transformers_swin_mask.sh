#!/bin/bash
# transformers 5.24.0: Swin adds -100 to the scores that its shifted windows hide, which is too little for a weight of
# float32 to be 0: softmax leaves weights of some 1e-44 there, so that zeros of its attentions do not show the mask.
# Ends with 0 where this is seen, with 1 where it is not.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
python3 -m venv "$work/v"
"$work/v/bin/pip" install -q torch==2.13.0 transformers==5.24.0
cd "$work"
HF_HUB_OFFLINE=1 "$work/v/bin/python" - <<'END'
import torch
from transformers import SwinConfig, SwinModel

torch.manual_seed(0)
model = SwinModel(SwinConfig(image_size=32, patch_size=2, embed_dim=16, depths=[2], num_heads=[2], window_size=4,
                             attn_implementation="eager")).eval()
with torch.no_grad():
    weights = model(torch.randn(1, 3, 32, 32), output_attentions=True).attentions[0]
last = weights[-1]  # the window in the corner, which is cut in four
left = last[last < 1e-30]
print(f"windows {tuple(weights.shape)}; in the last {left.numel()} weights from {left.min():.3g} to {left.max():.3g}")
raise SystemExit(0 if left.numel() == 384 and left.min() > 0 else 1)
END
