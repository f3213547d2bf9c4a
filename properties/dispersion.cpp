// Section 2 of the paper: how small and how large a weight can get.
#include "properties/property.hpp"

namespace attn::properties {

namespace {

constexpr std::string_view kBoundedLogits =
    "logits of 2 to 64 tokens, T > 0, a bound a of their size (given, attained or left to be the "
    "largest), any normaliser";
constexpr std::string_view kFixedF =
    "F positive, continuous and independent of L: true of softmax, sigmoid, softplus and Taylor; "
    "other normalisers are drawn too and counted as outside";

constexpr std::string_view kQueryKeys =
    "a query and 2 to 64 keys in 1 to 64 dimensions, T > 0, softmax";

constexpr Property lemma1(std::string_view claim) {
  return {
      .claim = claim, .given = kBoundedLogits, .hypotheses = kFixedF, .classes = kLemma1Classes};
}

constexpr Property kProperties[] = {
    lemma1("lemma1.lower"),
    lemma1("lemma1.upper"),
    lemma1("lemma1.lower.sharp"),
    lemma1("lemma1.upper.sharp"),
    {.claim = "corollary1.lower",
     .given = kQueryKeys,
     .hypotheses = "none",
     .classes = kQueryClasses},
    {.claim = "corollary1.upper",
     .given = kQueryKeys,
     .hypotheses = "none",
     .classes = kQueryClasses},
};

}  // namespace

std::span<const Property> dispersion_properties() {
  return kProperties;
}

}  // namespace attn::properties
