#!/bin/bash
# x-transformers 2.31.10: with attn_gumbel_softmax=True attention draws its noise after eval() too, where dropout and
# the like are off: two passes of one input through one model differ, and the weights recorded from one are not those
# of the other. Without it both passes are the same to the bit.
# Ends with 0 where this is seen, with 1 where it is not.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
python3 -m venv "$work/v"
"$work/v/bin/pip" install -q torch==2.13.0 x-transformers==2.31.10
cd "$work"
"$work/v/bin/python" - <<'END'
import torch
from x_transformers import Decoder, TransformerWrapper


def difference(**options):
    """Of the logits of two passes of one input, at most."""
    torch.manual_seed(0)
    model = TransformerWrapper(num_tokens=50, max_seq_len=32, attn_layers=Decoder(
        dim=32, depth=1, heads=4, attn_dim_head=8, **options)).eval()
    tokens = torch.randint(0, 50, (1, 12))
    with torch.no_grad():
        return (model(tokens) - model(tokens)).abs().max().item()


plain, gumbel = difference(), difference(attn_gumbel_softmax=True)
print(f"two passes in eval() differ by {plain} without and by {gumbel:.3g} with attn_gumbel_softmax")
raise SystemExit(0 if plain == 0 and gumbel > 0.1 else 1)
END
