// Section 3 of the paper, distance for tokens selected at random, and long contexts.
#include "properties/property.hpp"

namespace attn::properties {

namespace {

constexpr std::string_view kRandomSets =
    "weights, or logits with any normaliser, for 2 to 64 tokens, embeddings in 1 to 64 dimensions, "
    "N; the expectation is exact while there are at most 20000 sets, else sampled";
constexpr std::string_view kUniform =
    "weights of sum 1; I is uniform over the sets of N tokens. Normalisers of other sums are drawn "
    "too and counted as outside";

constexpr std::string_view kFlatFamily =
    "L up to 1000000 tokens of weight 1/L at the same x in 1 to 64 dimensions, N < L, epsilon > 0";

constexpr Property random_set(std::string_view claim) {
  return {
      .claim = claim, .given = kRandomSets, .hypotheses = kUniform, .classes = kRandomSetClasses};
}

constexpr Property kProperties[] = {
    random_set("theorem1.random.lower"),
    random_set("theorem1.random.upper"),
    random_set("theorem1.random.sharp"),
    random_set("corollary2.full_set"),
    {.claim = "corollary2.long_context",
     .given = kFlatFamily,
     .hypotheses = "L >= 1000 N; other lengths are drawn too and counted as outside",
     .classes = kFlatFamilyClasses},
    random_set("corollary2.long_context.repaired"),
    {.claim = "collapse.proportional",
     .given = kFlatFamily,
     .hypotheses = "L >= 1000; shorter ones are drawn too and counted as outside",
     .classes = kFlatFamilyClasses},
};

}  // namespace

std::span<const Property> random_set_properties() {
  return kProperties;
}

}  // namespace attn::properties
