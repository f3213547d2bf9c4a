#pragma once

#include <cstdint>
#include <string>

/// Names of activations as TransformerLens gives them.
namespace attn::gpt2::names {

inline std::string attention(std::int64_t layer, const std::string& hook) {
  return "blocks." + std::to_string(layer) + ".attn.hook_" + hook;
}

inline std::string q(std::int64_t layer) {
  return attention(layer, "q");
}
inline std::string k(std::int64_t layer) {
  return attention(layer, "k");
}
/// q and k after rotary embedding, as the scores read them.
inline std::string rotary_q(std::int64_t layer) {
  return attention(layer, "rot_q");
}
inline std::string rotary_k(std::int64_t layer) {
  return attention(layer, "rot_k");
}
inline std::string v(std::int64_t layer) {
  return attention(layer, "v");
}
/// The scores before the softmax, [head, query, key].
inline std::string scores(std::int64_t layer) {
  return attention(layer, "attn_scores");
}
inline std::string pattern(std::int64_t layer) {
  return attention(layer, "pattern");
}

inline std::string resid_post(std::int64_t layer) {
  return "blocks." + std::to_string(layer) + ".hook_resid_post";
}

inline constexpr const char* kLogits = "logits";
inline constexpr const char* kTokens = "tokens";

/// Metadata: a JSON list of the temperature T of every layer: of the raw logits q.k, of the scores,
/// or at which the pattern was made.
inline constexpr const char* kTemperatures = "temperatures";
/// Metadata: which tokens a query sees, in the report's words: kCausalMask, kFullMask or
/// kWindowMask with a number after it; or a JSON list of these, one for each layer.
inline constexpr const char* kMask = "mask";
/// Metadata: kHidden where the zeros of a pattern are keys that a query does not see.
inline constexpr const char* kZeros = "zeros";
inline constexpr const char* kHidden = "hidden";
/// Metadata: the name of the model.
inline constexpr const char* kModel = "model";

}  // namespace attn::gpt2::names
