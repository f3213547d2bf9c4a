#include "properties/property.hpp"

#include <initializer_list>
#include <stdexcept>

#include "properties/generators/classes.hpp"
#include "properties/generators/families.hpp"

namespace attn::properties {

namespace {

std::vector<Family> joined(std::initializer_list<std::span<const Family>> lists) {
  std::vector<Family> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::vector<Family> at_most(std::vector<Family> families, std::size_t tokens) {
  for (Family& family : families) family = at_most(family, tokens);
  return families;
}

}  // namespace

Property property_of(const Claim& claim) {
  const bool is_entmax = claim.kind.normalizer == Normalizer::entmax;
  const bool is_below_xi = claim.radius == Radius::up_to_every_xi;
  switch (claim.kind.name) {
    case InputKind::normalized_row:
      return {.families = joined({kLogits, kOutsideLemma2}),
              .classes = kLemma2Classes,
              .quick_cases = 4'000,
              .draw = draw_normalized_row};
    case InputKind::softmax_row:
      return {.families = joined({kLogits}),
              .classes = kLogitClasses,
              .quick_cases = 16'000,
              .draw = draw_logit_row};
    case InputKind::two_temperature_logits:
      return {.families = joined({kLogits}),
              .classes = kLogitClasses,
              .quick_cases = 8'000,
              .draw = draw_two_temperatures};
    case InputKind::bounded_row:
      return {.families = joined({kLogits, kOneAtAnEnd, kOutsideLemma1}),
              .classes = kLemma1Classes,
              .quick_cases = 16'000,
              .draw = draw_bounded_row};
    case InputKind::fixed_normalizer_logits:
      return {.families = is_entmax ? joined({kLogits, kTwoLevel}) : joined({kLogits}),
              .classes = is_entmax ? std::span<const InputClass>(kTwoLevelClasses) : kLogitClasses,
              .quick_cases = 4'000,
              .draw = draw_logit_row};
    case InputKind::pooling_row:
      return {.families = at_most(joined({kLogits}), kPoolingTokens),
              .classes = kShortLogitClasses,
              .quick_cases = 2'000,
              .draw = draw_pooling_row};
    case InputKind::polynomial_row:
      return {.families = joined({kLogits}),
              .classes = kPolynomialClasses,
              .quick_cases = 4'000,
              .draw = draw_polynomial_row};
    case InputKind::softmax_direction:
      return {.families = joined({kLogits}),
              .classes = kDirectionClasses,
              .quick_cases = 8'000,
              .draw = draw_direction};
    case InputKind::softmax_steps:
      return {.families = joined({kLogits}),
              .classes = kDirectionClasses,
              .quick_cases = 8'000,
              .draw = draw_two_steps};
    case InputKind::fixed_normalizer_step:
    case InputKind::step_within:
      return {.families = joined({kLogits, kNearZero}),
              .classes = kStepClasses,
              .quick_cases = 8'000,
              .draw = claim.kind.name == InputKind::step_within ? draw_step_within : draw_step};
    case InputKind::query_keys:
      return {.families = joined({kQueryKeys}),
              .classes = kQueryClasses,
              .quick_cases = 2'000,
              .draw = draw_query_keys};
    case InputKind::query_key:
      return {.families = joined({kQueryKey}),
              .classes = kOneQueryKeyClasses,
              .quick_cases = 8'000,
              .draw = draw_query_key};
    case InputKind::self_attention:
      return {.families = joined({kSelfAttention}),
              .classes = kSelfAttentionClasses,
              .quick_cases = 1'000,
              .draw = draw_self_attention};
    case InputKind::weighted_embeddings:
      return {.families =
                  joined({kScoredVectors, kCancellingPairs, kTwoTokensAndHeat, kOutsideTheorem1}),
              .classes = kWeightedClasses,
              .quick_cases = 1'500,
              .draw = draw_weighted_embeddings};
    case InputKind::pooling_embeddings:
      return {.families = joined({kScoredVectors, kCancellingPairs, kTwoTokensAndHeat}),
              .classes = kPoolingClasses,
              .quick_cases = 2'000,
              .draw = draw_pooling_embeddings};
    case InputKind::sink_embeddings:
      return {.families = joined({kScoredVectors, kEmptySink, kTwoTokensAndHeat, kOutsideTheorem1}),
              .classes = kSinkClasses,
              .quick_cases = 1'500,
              .draw = draw_sink};
    case InputKind::top_n_embeddings:
      return {.families = joined({kScoredVectors, kCancellingPairs, kSelections, kTwoTokensAndHeat,
                                  kOutsideTheorem1}),
              .classes = kTopNClasses,
              .quick_cases = 1'500,
              .draw = draw_top_n};
    case InputKind::set_embeddings:
      return {.families = joined({kScoredVectors, kCancellingPairs, kSelections, kTwoTokensAndHeat,
                                  kOutsideTheorem1}),
              .classes = kEmbeddingClasses,
              .quick_cases = 1'500,
              .draw = draw_set};
    case InputKind::random_set_embeddings:
      return {.families = joined({kScoredVectors, kCancellingPairs, kSelections, kTwoTokensAndHeat,
                                  kSampledSets, kOutsideTheorem1}),
              .classes = kRandomSetClasses,
              .quick_cases = 2'000,
              .draw = draw_random_set};
    case InputKind::equal_tokens:
      return {.families = joined({kFlatFamily}),
              .classes = kFlatFamilyClasses,
              .quick_cases = 8'000,
              .draw = draw_equal_tokens};
    case InputKind::two_level_tokens:
      return {.families = joined({kTwoLevels}),
              .classes = kTwoLevelTokenClasses,
              .quick_cases = 8'000,
              .draw = draw_two_levels};
    case InputKind::sphere_embeddings:
      return {.families = is_below_xi ? joined({kSphere}) : joined({kSphere, kSphereOfOne}),
              .classes =
                  is_below_xi ? std::span<const InputClass>(kSphereOfMoreClasses) : kSphereClasses,
              .quick_cases = 2'000,
              .draw = is_below_xi ? draw_sphere_below_xi : draw_sphere};
    case InputKind::transport_plan:
      return {.families = joined({kPlans}),
              .classes = kPlanClasses,
              .quick_cases = 2'000,
              .draw = draw_plan};
    case InputKind::chosen_weights:
      return {.families = joined({kScores, kSelections, kTwoTokensAndHeat, kOutsideTheorem1}),
              .classes = kChosenWeightClasses,
              .quick_cases = 4'000,
              .draw = draw_chosen_weights};
    case InputKind::chosen_embeddings:
      return {.families = joined({kScoredVectors, kCancellingPairs, kSelections, kTwoTokensAndHeat,
                                  kOutsideTheorem1}),
              .classes = kEmbeddingClasses,
              .quick_cases = 1'500,
              .draw = draw_chosen_embeddings};
    case InputKind::chosen_along:
      return {
          .families = joined({kScoredVectors, kSelections, kTwoTokensAndHeat, kOutsideTheorem1}),
          .classes = kAlongClasses,
          .quick_cases = 1'500,
          .draw = draw_chosen_along};
    case InputKind::step_embeddings:
      return {.families = joined({kScoredVectors, kTwoTokensAndHeat}),
              .classes = kStepEmbeddingClasses,
              .quick_cases = 1'500,
              .draw = draw_step_embeddings};
    case InputKind::useful_tokens:
      return {.families = joined({kScores, kSelections}),
              .classes = kScoreClasses,
              .quick_cases = 4'000,
              .draw = draw_useful_tokens};
    case InputKind::competitors:
      return {.families = {kGeneric},
              .classes = kCompetitorClasses,
              .quick_cases = 4'000,
              .draw = draw_competitors};
  }
  throw std::logic_error("a kind without a property");
}

}  // namespace attn::properties
