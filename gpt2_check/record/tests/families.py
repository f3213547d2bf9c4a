"""Small random models of many families, and what they are called with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import Regex, Tokenizer, models, pre_tokenizers

TOKENS = 24
VOCABULARY = 100

_SIZES: dict[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "vocab_size": VOCABULARY,
    "max_position_embeddings": 64,
}
_GROUPED: dict[str, Any] = {**_SIZES, "num_key_value_heads": 2}
_GEMMA: dict[str, Any] = {**_GROUPED, "head_dim": 8, "sliding_window": 8}
_GPT2: dict[str, Any] = {"n_embd": 32, "n_layer": 2, "n_head": 4, "vocab_size": VOCABULARY}
_DECODER: dict[str, Any] = {
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64,
    "vocab_size": VOCABULARY,
}
_VISION: dict[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "image_size": 16,
    "patch_size": 4,
}
_SPECIAL: dict[str, Any] = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
_DEBERTA: dict[str, Any] = {**_SIZES, "relative_attention": True, "pos_att_type": ["p2c", "c2p"]}
_EXPERTS: dict[str, Any] = {"n_routed_experts": 4, "num_experts_per_tok": 2}


def _text() -> dict[str, torch.Tensor]:
    return {"input_ids": torch.arange(3, 3 + TOKENS)[None]}


def _two_texts() -> dict[str, torch.Tensor]:
    return {**_text(), "decoder_input_ids": torch.arange(30, 30 + TOKENS - 6)[None]}


def _image() -> dict[str, torch.Tensor]:
    return {"pixel_values": torch.randn(1, 3, 16, 16, generator=torch.manual_seed(0))}


def _speech() -> dict[str, torch.Tensor]:
    sound = torch.randn(1, 8, 64, generator=torch.manual_seed(0))
    return {"input_features": sound, "decoder_input_ids": _two_texts()["decoder_input_ids"]}


@dataclass
class Family:
    """A model's class in transformers, the values of its configuration, and what it reads."""

    kind: str
    config: str
    values: dict[str, Any]
    inputs: Callable[[], dict[str, torch.Tensor]] = _text
    sharper: int = 16  # what the matrices are multiplied with: else all weights are nearly equal

    def model(self) -> Any:
        """The model with random weights, the same each time, and eager attention."""
        torch.manual_seed(0)
        config = getattr(transformers, self.config)(**self.values, attn_implementation="eager")
        model = getattr(transformers, self.kind)(config).eval()
        with torch.no_grad():
            for parameter in model.parameters():
                if parameter.dim() > 1:
                    parameter.mul_(self.sharper)
        return model

    def save(self, folder: Path) -> None:
        """Writes the model and a tokenizer of single characters, as save_pretrained does."""
        self.model().save_pretrained(folder)
        tokenizer().save_pretrained(folder)


def tokenizer() -> Any:
    """A tokenizer of single characters."""
    letters = [chr(code) for code in range(32, 32 + VOCABULARY - 4)]
    words = {
        word: number for number, word in enumerate(["<pad>", "<s>", "</s>", "<unk>", *letters])
    }
    inner = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.Split(Regex("."), "isolated")
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=inner,
        pad_token="<pad>",
        bos_token="<s>",
        eos_token="</s>",
        unk_token="<unk>",
    )


FAMILIES: dict[str, Family] = {
    "GPT-2": Family("GPT2LMHeadModel", "GPT2Config", {**_GPT2, "n_positions": 64}),
    "Llama": Family("LlamaForCausalLM", "LlamaConfig", _GROUPED),
    "Qwen2": Family("Qwen2ForCausalLM", "Qwen2Config", _GROUPED),
    "Qwen3": Family("Qwen3ForCausalLM", "Qwen3Config", {**_GROUPED, "head_dim": 8}),
    "Gemma 2": Family("Gemma2ForCausalLM", "Gemma2Config", _GEMMA),
    "Gemma 3": Family("Gemma3ForCausalLM", "Gemma3TextConfig", _GEMMA),
    "Gemma 4": Family(
        "Gemma4ForCausalLM", "Gemma4TextConfig", {**_GEMMA, "vocab_size_per_layer_input": 100}
    ),
    "Mistral": Family("MistralForCausalLM", "MistralConfig", {**_GROUPED, "sliding_window": 8}),
    "GPT-OSS": Family("GptOssForCausalLM", "GptOssConfig", {**_GEMMA, "num_local_experts": 4}),
    "GPT-NeoX": Family("GPTNeoXForCausalLM", "GPTNeoXConfig", _SIZES),
    "GPT-J": Family("GPTJForCausalLM", "GPTJConfig", {**_GPT2, "n_positions": 64, "rotary_dim": 4}),
    "CodeGen": Family(
        "CodeGenForCausalLM", "CodeGenConfig", {**_GPT2, "n_positions": 64, "rotary_dim": 4}
    ),
    "OPT": Family(
        "OPTForCausalLM",
        "OPTConfig",
        {
            **{word: _SIZES[word] for word in _SIZES if word != "intermediate_size"},
            "ffn_dim": 64,
            "word_embed_proj_dim": 32,
        },
    ),
    "Granite": Family("GraniteForCausalLM", "GraniteConfig", _GROUPED),
    "Phi-3": Family("Phi3ForCausalLM", "Phi3Config", {**_GROUPED, "pad_token_id": 0}),
    "SmolLM3": Family("SmolLM3ForCausalLM", "SmolLM3Config", {**_GROUPED, "pad_token_id": 0}),
    "HunYuan": Family(
        "HunYuanDenseV1ForCausalLM", "HunYuanDenseV1Config", {**_GROUPED, "head_dim": 8}
    ),
    "Llama 4": Family(
        "Llama4ForCausalLM",
        "Llama4TextConfig",
        {**_GROUPED, "head_dim": 8, "num_local_experts": 2, "intermediate_size_mlp": 64},
    ),
    "DeepSeek-V3": Family(
        "DeepseekV3ForCausalLM",
        "DeepseekV3Config",
        {
            **{**_SIZES, **_EXPERTS, "num_key_value_heads": 4, "q_lora_rank": 16},
            **{"kv_lora_rank": 16, "qk_rope_head_dim": 8, "qk_nope_head_dim": 16},
            **{"v_head_dim": 12, "moe_intermediate_size": 16, "n_group": 2, "topk_group": 1},
        },
    ),
    "BLOOM": Family(
        "BloomForCausalLM",
        "BloomConfig",
        {"hidden_size": 32, "n_layer": 2, "n_head": 4, "vocab_size": VOCABULARY},
    ),
    "MPT": Family(
        "MptForCausalLM",
        "MptConfig",
        {
            **{"d_model": 32, "n_layers": 2, "n_heads": 4, "vocab_size": VOCABULARY},
            **{"max_seq_len": 64, "expansion_ratio": 2},
        },
    ),
    "Falcon": Family("FalconForCausalLM", "FalconConfig", _SIZES),
    "GPT-Neo": Family(
        "GPTNeoForCausalLM",
        "GPTNeoConfig",
        {
            **{"hidden_size": 32, "num_layers": 2, "num_heads": 4, "vocab_size": VOCABULARY},
            **{"max_position_embeddings": 64, "window_size": 8},
            "attention_types": [[["global", "local"], 1]],
        },
    ),
    "BERT": Family("BertModel", "BertConfig", _SIZES),
    "RoBERTa": Family("RobertaModel", "RobertaConfig", _SIZES),
    "ModernBERT": Family(
        "ModernBertModel",
        "ModernBertConfig",
        {**_SIZES, **_SPECIAL, "local_attention": 8, "cls_token_id": 1, "sep_token_id": 2},
    ),
    "DeBERTa": Family("DebertaModel", "DebertaConfig", {**_DEBERTA, "max_relative_positions": 16}),
    "DeBERTa-v2": Family("DebertaV2Model", "DebertaV2Config", {**_DEBERTA, "position_buckets": 8}),
    "XLNet": Family(
        "XLNetModel",
        "XLNetConfig",
        {"d_model": 32, "n_layer": 2, "n_head": 4, "d_inner": 64, "vocab_size": VOCABULARY},
    ),
    "T5": Family(
        "T5ForConditionalGeneration",
        "T5Config",
        {
            **{"d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4},
            "vocab_size": VOCABULARY,
            "decoder_start_token_id": 0,
        },
        _two_texts,
        sharper=4,  # its scores are products that are not divided by sqrt(d)
    ),
    "BART": Family(
        "BartForConditionalGeneration",
        "BartConfig",
        {**_DECODER, **_SPECIAL, "max_position_embeddings": 64, "decoder_start_token_id": 2},
        _two_texts,
    ),
    "Whisper": Family(
        "WhisperForConditionalGeneration",
        "WhisperConfig",
        {
            **{**_DECODER, **_SPECIAL, "num_mel_bins": 8, "max_source_positions": 32},
            **{"max_target_positions": 64, "decoder_start_token_id": 1},
        },
        _speech,
    ),
    "ViT": Family("ViTModel", "ViTConfig", _VISION, _image),
    "CLIP": Family(
        "CLIPModel",
        "CLIPConfig",
        {"text_config": _SIZES, "vision_config": _VISION, "projection_dim": 16},
        lambda: {**_text(), **_image()},
    ),
}

# Families that compute other things by another name of their attention, that name its mask in the
# call, and that add -10,000 as a mask.
OF_THE_NAME: dict[str, Family] = {
    "DeepSeek-V3.2": Family(
        "DeepseekV32ForCausalLM",
        "DeepseekV32Config",
        {
            **FAMILIES["DeepSeek-V3"].values,
            "index_topk": 8,
            "index_n_heads": 2,
            "index_head_dim": 8,
        },
    ),
    "AFMoE": Family(
        "AfmoeForCausalLM",
        "AfmoeConfig",
        {
            **{**_GROUPED, "head_dim": 8, "sliding_window": 8, "moe_intermediate_size": 16},
            **{"num_local_experts": 2, "num_experts": 2, "num_experts_per_tok": 1},
            "num_dense_layers": 1,
        },
    ),
    "OpenAI GPT": Family(
        "OpenAIGPTModel",
        "OpenAIGPTConfig",
        {"vocab_size": VOCABULARY, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64},
    ),
}

# Families whose modules call attention several times in a run.
SEVERAL_CALLS: dict[str, Family] = {
    "DiffLlama": Family(
        "DiffLlamaForCausalLM", "DiffLlamaConfig", {**_GROUPED, "num_hidden_layers": 3}
    ),
}

# Families whose modules run several times, one run a layer.
SHARED: dict[str, Family] = {
    "ALBERT": Family("AlbertModel", "AlbertConfig", {**_SIZES, "embedding_size": 16}),
}

# Families whose attention is taken in blocks, or is no softmax of queries and keys.
IN_BLOCKS: dict[str, Family] = {
    "BigBird": Family(
        "BigBirdModel",
        "BigBirdConfig",
        {
            **{**_SIZES, "attention_type": "block_sparse", "block_size": 8},
            **{"num_random_blocks": 1, "max_position_embeddings": 512},
        },
        lambda: {"input_ids": torch.arange(3, 99)[None]},
    ),
    "LED": Family(
        "LEDForConditionalGeneration",
        "LEDConfig",
        {
            **{**_DECODER, **_SPECIAL, "attention_window": 8, "decoder_start_token_id": 2},
            **{"max_encoder_position_embeddings": 128, "max_decoder_position_embeddings": 64},
        },
        _two_texts,
    ),
    "LongT5": Family(
        "LongT5ForConditionalGeneration",
        "LongT5Config",
        {**FAMILIES["T5"].values, "local_radius": 4},
        _two_texts,
        sharper=4,
    ),
    "Nystromformer": Family(
        "NystromformerModel",
        "NystromformerConfig",
        {**_SIZES, "num_landmarks": 6, "segment_means_seq_len": TOKENS},
    ),
}
