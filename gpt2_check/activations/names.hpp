#pragma once

#include <cstdint>
#include <string>

/// Names of activations as TransformerLens gives them.
namespace attn::gpt2::names {

/// What a layer's attention computes.
struct Hook {
  const char* name;

  std::string operator()(std::int64_t layer) const {
    return "blocks." + std::to_string(layer) + ".attn.hook_" + name;
  }
};

inline constexpr Hook q{"q"}, k{"k"}, v{"v"};
inline constexpr Hook rotary_q{"rot_q"}, rotary_k{"rot_k"};  ///< as the scores read them
inline constexpr Hook scores{"attn_scores"};  ///< before the softmax: [head, query, key]
inline constexpr Hook pattern{"pattern"};
inline constexpr Hook mask{"mask"};  ///< [query, key] or [head, query, key]: 1 where a key is seen
inline constexpr Hook sink{"sink"};  ///< [head]: the logit of one more key, whose value is 0

/// [query, head, d of v]: the sum of the values, each times its weight, before any gate.
inline constexpr Hook z{"z"};

inline std::string resid_post(std::int64_t layer) {
  return "blocks." + std::to_string(layer) + ".hook_resid_post";
}

inline constexpr const char* kLogits = "logits";
inline constexpr const char* kTokens = "tokens";
inline constexpr const char* kAttentionMask = "attention_mask";  ///< [position]: 0 of padding

/// Metadata: a JSON list of the temperature T of every layer: of the raw logits q.k, of the scores,
/// or at which the pattern was made.
inline constexpr const char* kTemperatures = "temperatures";
/// Metadata: which tokens a query sees, in the report's words: kCausalMask, kFullMask or
/// kWindowMask with a number after it; or a JSON list of these, one for each layer.
inline constexpr const char* kMask = "mask";
/// Metadata: kHidden where the zeros of a pattern are keys that a query does not see, kWeights
/// where they are weights.
inline constexpr const char* kZeros = "zeros";
inline constexpr const char* kHidden = "hidden";
/// Metadata: experiment 6 as the recorder measured it, a set_sizes of the report in JSON.
inline constexpr const char* kSetSizes = "set_sizes";
inline constexpr const char* kWeights = "weights";
/// Metadata: a number, and every score that is no greater hides its key; or kNone.
inline constexpr const char* kHiddenBelow = "hidden_below";
inline constexpr const char* kNone = "none";
/// Metadata: a JSON list of the positions that are padding.
inline constexpr const char* kPadding = "padding";
/// Metadata: a sentence of the recorder on how far softmax of what it recorded is from the weights
/// that the model used.
inline constexpr const char* kChecked = "checked";
/// Metadata: the name of the model.
inline constexpr const char* kModel = "model";

}  // namespace attn::gpt2::names
