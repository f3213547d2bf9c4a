// Section 3 of the paper, distance: how far the selected tokens' sum stays from the others.
#include "properties/property.hpp"

namespace attn::properties {

namespace {

constexpr std::string_view kWeightsAndVectors =
    "weights, or logits with any normaliser, for 2 to 64 tokens, and embeddings in 1 to 64 "
    "dimensions";
constexpr std::string_view kTopN =
    "weights of sum 1; I holds the N largest, 1 <= N < L. Normalisers of other sums are drawn too "
    "and counted as outside";
constexpr std::string_view kAnySet =
    "weights of sum 1; I is any set of N tokens, 1 <= N < L. Normalisers of other sums are drawn "
    "too and counted as outside";

constexpr Property theorem1(std::string_view claim, std::string_view hypotheses) {
  return {.claim = claim,
          .given = kWeightsAndVectors,
          .hypotheses = hypotheses,
          .classes = kEmbeddingClasses};
}

constexpr Property kProperties[] = {
    theorem1("theorem1.fixed", kTopN),
    theorem1("theorem1.fixed.sharp.upper", kTopN),
    theorem1("theorem1.fixed.sharp.lower", kTopN),
    theorem1("theorem1.fixed.any_set", kAnySet),
    theorem1("theorem1.fixed.any_set.repaired", kAnySet),
};

}  // namespace

std::span<const Property> distance_properties() {
  return kProperties;
}

}  // namespace attn::properties
