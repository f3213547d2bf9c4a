// Section 3 of the paper, separability: how many selected tokens stay within r of their sum.
#include "properties/property.hpp"

namespace attn::properties {

namespace {

constexpr std::string_view kWeightsOnSphere =
    "weights of 2 to 64 tokens, N up to 14, a sphere of radius R in 1 or 3 dimensions (the "
    "expectation is exact), now and then in 2, 4, 8 or 64 (sampled), r > 0";

constexpr std::string_view kAssumptions =
    "Assumption 1: embeddings independent and uniform on the sphere; Assumption 2 with delta = 0, "
    "which asks nothing";

constexpr Property on_sphere(std::string_view claim) {
  return {.claim = claim,
          .given = kWeightsOnSphere,
          .hypotheses = kAssumptions,
          .classes = kSphereClasses};
}

constexpr Property kProperties[] = {
    on_sphere("theorem2.lower"),
    {.claim = "theorem2.upper",
     .given = kWeightsOnSphere,
     .hypotheses = "Assumptions 1 and 2 with delta = 0, and r <= min_i xi_i: r is drawn as a "
                   "fraction of min_i xi_i, N >= 2",
     .classes = kSphereOfMoreClasses,
     .radius = Given::Radius::up_to_every_xi},
    on_sphere("theorem2.lower.sharp"),
    on_sphere("theorem2.upper.repaired"),
};

}  // namespace

std::span<const Property> separability_properties() {
  return kProperties;
}

}  // namespace attn::properties
