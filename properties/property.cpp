#include "properties/property.hpp"

#include <initializer_list>
#include <stdexcept>

#include "properties/generators/classes.hpp"
#include "properties/generators/families.hpp"

namespace attn::properties {

namespace {

constexpr std::string_view kSpreadOut =
    "std > 0; equal logits are drawn too and counted as outside";

constexpr std::string_view kChoices =
    "weights of sum 1; I holds the N largest, or is any set, 1 <= N < L. Normalisers of other sums "
    "are drawn too and counted as outside";

constexpr std::string_view kWeightsAndVectors =
    "weights, or logits with any normaliser, for 2 to 64 tokens, and embeddings in 1 to 64 "
    "dimensions";

constexpr std::string_view kChosenVectors =
    "weights, or logits with any normaliser, for 2 to 64 tokens, N or a set, and embeddings in 1 "
    "to 64 dimensions";

constexpr std::string_view kSpheres =
    "weights of 2 to 64 tokens, N up to 14, a sphere of radius R in 1 or 3 dimensions (the "
    "expectation is exact), now and then in 2, 4, 8 or 64 (sampled), r > 0";

constexpr std::string_view kAssumptions =
    "Assumption 1: embeddings independent and uniform on the sphere; Assumption 2 with delta = 0, "
    "which asks nothing";

std::vector<Family> joined(std::initializer_list<std::span<const Family>> lists) {
  std::vector<Family> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::vector<Family> at_most(std::vector<Family> families, std::size_t tokens) {
  for (Family& family : families) family = at_most(family, tokens);
  return families;
}

/// All that a search knows of a kind of input.
Property of_the_kind(const Claim& claim) {
  const bool is_entmax = claim.kind.normalizer == Normalizer::entmax;
  const bool is_below_xi = claim.radius == Radius::up_to_every_xi;
  switch (claim.kind.name) {
    case InputKind::normalized_row:
      return {.given = "logits of 2 to 64 tokens, T > 0, any normaliser",
              .hypotheses =
                  "F positive and differentiable: true of softmax, sigmoid, softplus, Taylor and "
                  "Scalable-Softmax; other normalisers are drawn too and counted as outside",
              .families = joined({kLogits, kOutsideLemma2}),
              .classes = kLemma2Classes,
              .quick_cases = 4'000,
              .draw = draw_normalized_row};
    case InputKind::softmax_row:
      return {.given = "logits of 2 to 64 tokens, T > 0, softmax",
              .families = joined({kLogits}),
              .classes = kLogitClasses,
              .quick_cases = 16'000,
              .draw = draw_logit_row};
    case InputKind::two_temperature_logits:
      return {.given = "logits of 2 to 64 tokens, T > 0, a T' from T/1024 to 63 T/64, softmax",
              .hypotheses = "T' < T, by construction",
              .families = joined({kLogits}),
              .classes = kLogitClasses,
              .quick_cases = 8'000,
              .draw = draw_two_temperatures};
    case InputKind::bounded_row:
      return {.given =
                  "logits of 2 to 64 tokens, T > 0, a bound a of their size (given, attained or "
                  "left to be the largest), any normaliser",
              .hypotheses =
                  "F positive, continuous and independent of L: true of softmax, sigmoid, softplus "
                  "and Taylor; other normalisers are drawn too and counted as outside",
              .families = joined({kLogits, kOneAtAnEnd, kOutsideLemma1}),
              .classes = kLemma1Classes,
              .quick_cases = 16'000,
              .draw = draw_bounded_row};
    case InputKind::fixed_normalizer_logits:
      return {.given = "logits of 2 to 64 tokens, T > 0",
              .families = is_entmax ? joined({kLogits, kTwoLevel}) : joined({kLogits}),
              .classes = is_entmax ? std::span<const InputClass>(kTwoLevelClasses) : kLogitClasses,
              .quick_cases = 4'000,
              .draw = draw_logit_row};
    case InputKind::pooling_row:
      return {.given = "logits of 2 to 10 tokens, T > 0, a gain > 0",
              .hypotheses = kSpreadOut,
              .families = at_most(joined({kLogits}), kPoolingTokens),
              .classes = kShortLogitClasses,
              .quick_cases = 2'000,
              .draw = draw_pooling_row};
    case InputKind::polynomial_row:
      return {
          .given = "logits of 2 to 64 tokens, T > 0, degrees 1 to 6, a bound a of the logits' size",
          .hypotheses = "|l_i| <= a, by construction",
          .families = joined({kLogits}),
          .classes = kPolynomialClasses,
          .quick_cases = 4'000,
          .draw = draw_polynomial_row};
    case InputKind::softmax_direction:
      return {.given =
                  "logits of 2 to 64 tokens, T > 0, softmax, and a step of length epsilon from "
                  "2^-20 T to 16 T in any direction",
              .families = joined({kLogits}),
              .classes = kDirectionClasses,
              .quick_cases = 8'000,
              .draw = draw_direction};
    case InputKind::softmax_steps:
      return {.given =
                  "logits of 2 to 64 tokens, T > 0, softmax, and two steps in any direction, one "
                  "of length epsilon from 2^-20 T to 16 T and one up to 1024 times as long",
              .hypotheses = "epsilon < epsilon', by construction",
              .families = joined({kLogits}),
              .classes = kDirectionClasses,
              .quick_cases = 8'000,
              .draw = draw_two_steps};
    case InputKind::fixed_normalizer_step:
    case InputKind::step_within:
      return {.given =
                  "logits of 2 to 64 tokens, T > 0, a step h that is not zero, of the size of T or "
                  "of the logits",
              .families = joined({kLogits, kNearZero}),
              .classes = kStepClasses,
              .quick_cases = 8'000,
              .draw = claim.kind.name == InputKind::step_within ? draw_step_within : draw_step};
    case InputKind::query_keys:
      return {.given = "a query and 2 to 64 keys in 1 to 64 dimensions, T > 0, softmax",
              .families = joined({kQueryKeys}),
              .classes = kQueryClasses,
              .quick_cases = 2'000,
              .draw = draw_query_keys};
    case InputKind::query_key:
      return {.given = "a query and one key in 1 to 64 dimensions",
              .families = joined({kQueryKey}),
              .classes = kOneQueryKeyClasses,
              .quick_cases = 8'000,
              .draw = draw_query_key};
    case InputKind::self_attention:
      return {.given = "2 to 16 embeddings in 1 to 16 dimensions, T > 0, softmax",
              .families = joined({kSelfAttention}),
              .classes = kSelfAttentionClasses,
              .quick_cases = 1'000,
              .draw = draw_self_attention};
    case InputKind::weighted_embeddings:
      return {
          .given = kWeightsAndVectors,
          .hypotheses =
              "weights of sum 1. Normalisers of other sums are drawn too and counted as outside",
          .families =
              joined({kScoredVectors, kCancellingPairs, kTwoTokensAndHeat, kOutsideTheorem1}),
          .classes = kWeightedClasses,
          .quick_cases = 1'500,
          .draw = draw_weighted_embeddings};
    case InputKind::pooling_embeddings:
      return {
          .given = "logits of 2 to 64 tokens, T > 0, a gain > 0, embeddings in 1 to 64 dimensions",
          .hypotheses = kSpreadOut,
          .families = joined({kScoredVectors, kCancellingPairs, kTwoTokensAndHeat}),
          .classes = kPoolingClasses,
          .quick_cases = 2'000,
          .draw = draw_pooling_embeddings};
    case InputKind::sink_embeddings:
      return {.given = kWeightsAndVectors,
              .hypotheses =
                  "weights of sum 1; a direction u and c > 0 with u . x_i >= c ||u|| for all "
                  "tokens but the first and u . x_0 >= 0, by construction. Normalisers of other "
                  "sums are drawn too and counted as outside",
              .families = joined({kScoredVectors, kEmptySink, kTwoTokensAndHeat, kOutsideTheorem1}),
              .classes = kSinkClasses,
              .quick_cases = 1'500,
              .draw = draw_sink};
    case InputKind::top_n_embeddings:
      return {.given = kWeightsAndVectors,
              .hypotheses =
                  "weights of sum 1; I holds the N largest, 1 <= N < L. Normalisers of other sums "
                  "are drawn too and counted as outside",
              .families = joined({kScoredVectors, kCancellingPairs, kSelections, kTwoTokensAndHeat,
                                  kOutsideTheorem1}),
              .classes = kTopNClasses,
              .quick_cases = 1'500,
              .draw = draw_top_n};
    case InputKind::set_embeddings:
      return {.given = kWeightsAndVectors,
              .hypotheses =
                  "weights of sum 1; I is any set of N tokens, 1 <= N < L. Normalisers of other "
                  "sums are drawn too and counted as outside",
              .families = joined({kScoredVectors, kCancellingPairs, kSelections, kTwoTokensAndHeat,
                                  kOutsideTheorem1}),
              .classes = kEmbeddingClasses,
              .quick_cases = 1'500,
              .draw = draw_set};
    case InputKind::random_set_embeddings:
      return {.given =
                  "weights, or logits with any normaliser, for 2 to 64 tokens, embeddings in 1 to "
                  "64 dimensions, N; the expectation is exact while there are at most 20000 sets, "
                  "else sampled",
              .hypotheses =
                  "I is uniform over the sets of N tokens; nothing is asked of the weights. "
                  "Pooling and polynomial attention, whose gain and degree a case does not give, "
                  "are drawn too and counted as outside",
              .families = joined({kScoredVectors, kCancellingPairs, kSelections, kTwoTokensAndHeat,
                                  kSampledSets, kOutsideTheorem1}),
              .classes = kRandomSetClasses,
              .quick_cases = 2'000,
              .draw = draw_random_set};
    case InputKind::equal_tokens:
      return {.given =
                  "L up to 1000000 tokens at the same x in 1 to 64 dimensions, of the weights that "
                  "the statement names, N < L, epsilon > 0",
              .families = joined({kFlatFamily}),
              .classes = kFlatFamilyClasses,
              .quick_cases = 8'000,
              .draw = draw_equal_tokens};
    case InputKind::two_level_tokens:
      return {.given =
                  "L up to 1000000, even, half of the logits a positive number and half 0, T > 0, "
                  "epsilon > 0",
              .families = joined({kTwoLevels}),
              .classes = kTwoLevelTokenClasses,
              .quick_cases = 8'000,
              .draw = draw_two_levels};
    case InputKind::sphere_embeddings:
      return {.given = kSpheres,
              .hypotheses = kAssumptions,
              .families = is_below_xi ? joined({kSphere}) : joined({kSphere, kSphereOfOne}),
              .classes =
                  is_below_xi ? std::span<const InputClass>(kSphereOfMoreClasses) : kSphereClasses,
              .quick_cases = 2'000,
              .draw = is_below_xi ? draw_sphere_below_xi : draw_sphere};
    case InputKind::transport_plan:
      return {.given = "positive doubly stochastic matrices of 2 to 5 rows, T > 0",
              .families = joined({kPlans}),
              .classes = kPlanClasses,
              .quick_cases = 2'000,
              .draw = draw_plan};
    case InputKind::chosen_weights:
      return {.given = "weights, or logits with any normaliser, for 2 to 64 tokens, N or a set",
              .hypotheses = kChoices,
              .families = joined({kScores, kSelections, kTwoTokensAndHeat, kOutsideTheorem1}),
              .classes = kChosenWeightClasses,
              .quick_cases = 4'000,
              .draw = draw_chosen_weights};
    case InputKind::chosen_embeddings:
      return {.given = kChosenVectors,
              .hypotheses = kChoices,
              .families = joined({kScoredVectors, kCancellingPairs, kSelections, kTwoTokensAndHeat,
                                  kOutsideTheorem1}),
              .classes = kEmbeddingClasses,
              .quick_cases = 1'500,
              .draw = draw_chosen_embeddings};
    case InputKind::chosen_along:
      return {
          .given = kChosenVectors,
          .hypotheses =
              "weights of sum 1; a direction v and c > 0 with v . x_i >= c ||v|| for all "
              "tokens, by construction. Normalisers of other sums are drawn too and counted as "
              "outside",
          .families = joined({kScoredVectors, kSelections, kTwoTokensAndHeat, kOutsideTheorem1}),
          .classes = kAlongClasses,
          .quick_cases = 1'500,
          .draw = draw_chosen_along};
    case InputKind::step_embeddings:
      return {.given =
                  "logits of 2 to 64 tokens, T > 0, softmax, a step h that is not zero, embeddings "
                  "in 1 to 64 dimensions",
              .families = joined({kScoredVectors, kTwoTokensAndHeat}),
              .classes = kStepEmbeddingClasses,
              .quick_cases = 1'500,
              .draw = draw_step_embeddings};
    case InputKind::useful_tokens:
      return {.given = "scores of 2 to 64 tokens, K of them useful, N kept",
              .families = joined({kScores, kSelections}),
              .classes = kScoreClasses,
              .quick_cases = 4'000,
              .draw = draw_useful_tokens};
    case InputKind::competitors:
      return {.given = "1 to 64 competitors, a probability p, delta from 2^-20 to 1",
              .hypotheses = "p <= 1 and delta < 1, by construction",
              .families = {kGeneric},
              .classes = kCompetitorClasses,
              .quick_cases = 4'000,
              .draw = draw_competitors};
  }
  throw std::logic_error("a kind without a property");
}

}  // namespace

Property property_of(const Claim& claim) {
  Property property = of_the_kind(claim);
  if (!claim.hypotheses.empty()) property.hypotheses = claim.hypotheses;
  return property;
}

}  // namespace attn::properties
