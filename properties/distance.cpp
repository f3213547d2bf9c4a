// Section 3 of the paper, distance: how far the selected tokens' sum stays from the others.
#include "properties/property.hpp"

namespace attn::properties {

namespace {

constexpr std::string_view kWeightsAndVectors =
    "weights, or logits with a normaliser, for 2 to 64 tokens, and embeddings in 1 to 64 "
    "dimensions";

constexpr Property kProperties[] = {
    // Theorem 1 (1).
    {.claim = "theorem1.fixed",
     .given = kWeightsAndVectors,
     .hypotheses = "I holds the N largest weights, 1 <= N < L"},
    // Theorem 1 (1), read without its top-N order: false.
    {.claim = "theorem1.fixed.any_set",
     .given = kWeightsAndVectors,
     .hypotheses = "I is any set of N tokens, 1 <= N < L"},
    // Theorem 1 (1), repaired.
    {.claim = "theorem1.fixed.any_set.repaired",
     .given = kWeightsAndVectors,
     .hypotheses = "I is any set of N tokens, 1 <= N < L"},
};

}  // namespace

std::span<const Property> distance_properties() {
  return kProperties;
}

}  // namespace attn::properties
