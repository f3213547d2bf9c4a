// Section 3 of the paper, gradient: the spectral norm of the Jacobian of the weights.
#include "properties/property.hpp"

namespace attn::properties {

namespace {

constexpr std::string_view kLogitsOfAnyNormalizer =
    "logits of 2 to 64 tokens, T > 0, softmax, sigmoid, softplus or Taylor normaliser";
constexpr std::string_view kLogits = "logits of 2 to 64 tokens, T > 0, softmax";

constexpr std::string_view kSmooth = "F positive and differentiable: true of all four";
constexpr std::string_view kNone = "none";

constexpr Property kProperties[] = {
    // Lemma 2.
    {.claim = "lemma2", .given = kLogitsOfAnyNormalizer, .hypotheses = kSmooth},
    {.claim = "lemma2.sharp", .given = kLogitsOfAnyNormalizer, .hypotheses = kSmooth},
    // Corollary 3: false.
    {.claim = "corollary3", .given = kLogits, .hypotheses = kNone},
    // Corollary 3, what is true of it.
    {.claim = "corollary3.entrywise", .given = kLogits, .hypotheses = kNone},
    {.claim = "corollary3.sharp", .given = kLogits, .hypotheses = kNone},
    {.claim = "corollary3.local.lower", .given = kLogits, .hypotheses = kNone},
    {.claim = "corollary3.local.upper", .given = kLogits, .hypotheses = kNone},
};

}  // namespace

std::span<const Property> gradient_properties() {
  return kProperties;
}

}  // namespace attn::properties
