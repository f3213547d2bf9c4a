// Section 3 of the paper, separability: how many selected tokens stay within r of their sum.
#include "properties/property.hpp"

namespace attn::properties {

namespace {

constexpr std::string_view kWeightsOnSphere =
    "weights of 2 to 64 tokens, N up to 14, a sphere of radius R in 1 or 3 dimensions, r > 0";

constexpr std::string_view kAssumptions =
    "Assumption 1: embeddings independent and uniform on the sphere (the expectation is exact); "
    "Assumption 2 with delta = 0, which asks nothing";

constexpr Property kProperties[] = {
    // Theorem 2, lower bound.
    {.claim = "theorem2.lower", .given = kWeightsOnSphere, .hypotheses = kAssumptions},
    // Theorem 2, upper bound: false.
    {.claim = "theorem2.upper",
     .given = kWeightsOnSphere,
     .hypotheses = "Assumptions 1 and 2 with delta = 0, and r <= min_i xi_i: r is drawn as a "
                   "fraction of min_i xi_i, N >= 2",
     .radius = Given::Radius::up_to_every_xi},
    // Theorem 2, lower bound by the second moment.
    {.claim = "theorem2.lower.sharp", .given = kWeightsOnSphere, .hypotheses = kAssumptions},
    // Theorem 2, upper bound, repaired.
    {.claim = "theorem2.upper.repaired", .given = kWeightsOnSphere, .hypotheses = kAssumptions},
};

}  // namespace

std::span<const Property> separability_properties() {
  return kProperties;
}

}  // namespace attn::properties
