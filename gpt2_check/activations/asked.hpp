#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

#include "gpt2_check/activations/evidence.hpp"
#include "gpt2_check/activations/questions.hpp"

namespace attn::gpt2 {

/// A message, where there is one.
using Parts = std::optional<BadInputParts>;

inline constexpr const char* kMaskAdvice =
    "metadata 'mask' (causal, full or window:K) or a tensor hook_mask says which keys a query sees";
inline constexpr const char* kPaddingAdvice =
    "metadata 'padding', a JSON list of positions, or a tensor attention_mask says what is padding";
inline constexpr const char* kLogitsAdvice =
    "logits are recorded as hook_attn_scores; weights of linear, differential or mixed attention "
    "are no softmax's";

/// A number and its place, as a message has them.
inline std::string number_at(const Asked& asked, const Sighting& sighting) {
  const auto& [head, query, key] = sighting.place;
  return fmt::format("{:.6g} at {}", sighting.value, asked.at({head, query, key}));
}

// The questions that rules() lists, each a message where the evidence shows what it asks about and
// nothing settles it: on what the numbers are,
Parts ask_not_finite(const Evidence& evidence, const Asked& asked);
Parts ask_negative(const Evidence& evidence, const Asked& asked);
Parts ask_transposed(const Evidence& evidence, const Asked& asked);
Parts ask_over_heads(const Evidence& evidence, const Asked& asked);
Parts ask_upside_down(const Evidence& evidence, const Asked& asked);
Parts ask_as_weights(const Evidence& evidence, const Asked& asked);
Parts ask_normalised(const Evidence& evidence, const Asked& asked);
Parts ask_exponent(const Evidence& evidence, const Asked& asked);
Parts ask_latent(const Evidence& evidence, const Asked& asked);
Parts ask_length_one(const Evidence& evidence, const Asked& asked);
Parts ask_sink(const Evidence& evidence, const Asked& asked);
Parts ask_order(const Evidence& evidence, const Asked& asked);
Parts ask_sink_column(const Evidence& evidence, const Asked& asked);
Parts ask_zero_columns(const Evidence& evidence, const Asked& asked);

// and on which keys they are of.
Parts ask_hidden_weight(const Evidence& evidence, const Asked& asked);
Parts ask_last_keys(const Evidence& evidence, const Asked& asked);
Parts ask_fill(const Evidence& evidence, const Asked& asked);
Parts ask_blind_query(const Evidence& evidence, const Asked& asked);
Parts ask_hidden_in_sight(const Evidence& evidence, const Asked& asked);
Parts ask_level_row(const Evidence& evidence, const Asked& asked);
Parts ask_later(const Evidence& evidence, const Asked& asked);
Parts ask_common_score(const Evidence& evidence, const Asked& asked);
Parts ask_zero_row(const Evidence& evidence, const Asked& asked);
Parts ask_blank(const Evidence& evidence, const Asked& asked);
Parts ask_common_zeros(const Evidence& evidence, const Asked& asked);
Parts ask_common_weight(const Evidence& evidence, const Asked& asked);

}  // namespace attn::gpt2
