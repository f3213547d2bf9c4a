#include "properties/property.hpp"

#include <fmt/format.h>

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

std::vector<Family> selected_embeddings() {
  return joined(
      {kScoredVectors, kCancellingPairs, kSelections, kTwoTokensAndHeat, kOtherNormalizers});
}

}  // namespace

Property property_of(const Claim& claim) {
  switch (claim.kind.name) {
    case InputKind::normalized_row:
      return {joined({kLogits, kOtherNormalizers}), kLemma2Classes, 4'000, draw_normalized_row};
    case InputKind::softmax_row:
      return {joined({kLogits}), kLogitClasses, 16'000, draw_logit_row};
    case InputKind::colder_row:
      return {joined({kLogits}), kLogitClasses, 8'000, draw_two_temperatures};
    case InputKind::longer_row:
      return {joined({kLogits}), kLongerRowClasses, 8'000, draw_longer_row};
    case InputKind::bounded_row:
      return {joined({kLogits, kOneAtAnEnd, kOtherNormalizers}), kLemma1Classes, 16'000,
              draw_bounded_row};
    case InputKind::row_of:
      if (claim.kind.normalizer == Normalizer::entmax) {
        return {joined({kLogits, kTwoLevel}), kTwoLevelClasses, 4'000, draw_logit_row};
      }
      return {joined({kLogits}), kLogitClasses, 4'000, draw_logit_row};
    case InputKind::pooling_row:
      return {at_most(joined({kLogits}), kPoolingTokens), kShortLogitClasses, 2'000,
              draw_pooling_row};
    case InputKind::polynomial_row:
      return {joined({kLogits}), kPolynomialClasses, 4'000, draw_polynomial_row};
    case InputKind::softmax_direction:
      return {joined({kLogits}), kDirectionClasses, 8'000, draw_direction};
    case InputKind::softmax_steps:
      return {joined({kLogits}), kDirectionClasses, 8'000, draw_two_steps};
    case InputKind::step_norm:
      return {joined({kLogits}), kStepNormClasses, 8'000, draw_step_norm};
    case InputKind::step_of:
      return {joined({kLogits, kNearZero}), kStepClasses, 8'000, draw_step};
    case InputKind::step_within:
      return {joined({kLogits, kNearZero}), kStepClasses, 8'000, draw_step_within};
    case InputKind::query_keys:
      return {joined({kQueryKeys}), kQueryClasses, 2'000, draw_query_keys};
    case InputKind::query_key:
      return {joined({kQueryKey}), kOneQueryKeyClasses, 8'000, draw_query_key};
    case InputKind::self_attention:
      return {joined({kSelfAttention}), kSelfAttentionClasses, 1'000, draw_self_attention};
    case InputKind::weighted_embeddings:
      return {joined({kScoredVectors, kCancellingPairs, kTwoTokensAndHeat, kOtherNormalizers}),
              kWeightedClasses, 1'500, draw_weighted_embeddings};
    case InputKind::pooling_embeddings:
      return {joined({kScoredVectors, kCancellingPairs, kTwoTokensAndHeat}), kPoolingClasses, 2'000,
              draw_pooling_embeddings};
    case InputKind::sink_embeddings:
      return {joined({kScoredVectors, kEmptySink, kTwoTokensAndHeat, kOtherNormalizers}),
              kSinkClasses, 1'500, draw_sink};
    case InputKind::top_n_embeddings:
      return {selected_embeddings(), kTopNClasses, 1'500, draw_top_n};
    case InputKind::set_embeddings:
      return {selected_embeddings(), kEmbeddingClasses, 1'500, draw_set};
    case InputKind::random_set_embeddings:
      return {joined({kScoredVectors, kCancellingPairs, kSelections, kTwoTokensAndHeat,
                      kSampledSets, kOtherNormalizers}),
              kRandomSetClasses, 2'000, draw_random_set};
    case InputKind::equal_tokens:
      return {joined({kFlatFamily}), kFlatFamilyClasses, 8'000, draw_equal_tokens};
    case InputKind::two_level_tokens:
      return {joined({kTwoLevels}), kTwoLevelTokenClasses, 8'000, draw_two_levels};
    case InputKind::lone_logits:
      return {joined({kLoneLogits}), kLoneLogitClasses, 8'000, draw_lone_logits};
    case InputKind::sphere_embeddings:
      return {joined({kSphere, kSphereOfOne}), kSphereClasses, 2'000, draw_sphere};
    case InputKind::transport_plan:
      return {joined({kPlans}), kPlanClasses, 2'000, draw_plan};
    case InputKind::chosen_weights:
      return {joined({kScores, kSelections, kTwoTokensAndHeat, kOtherNormalizers}),
              kChosenWeightClasses, 4'000, draw_chosen_weights};
    case InputKind::chosen_embeddings:
      return {selected_embeddings(), kEmbeddingClasses, 1'500, draw_chosen_embeddings};
    case InputKind::chosen_along:
      return {joined({kScoredVectors, kSelections, kTwoTokensAndHeat, kOtherNormalizers}),
              kAlongClasses, 1'500, draw_chosen_along};
    case InputKind::step_embeddings:
      return {joined({kScoredVectors, kTwoTokensAndHeat}), kStepEmbeddingClasses, 1'500,
              draw_step_embeddings};
    case InputKind::useful_tokens:
      return {joined({kScores, kSelections}), kScoreClasses, 4'000, draw_useful_tokens};
    case InputKind::competitors:
      return {{kGeneric}, kCompetitorClasses, 4'000, draw_competitors};
  }
  throw std::logic_error("a kind without a property");
}

std::string cases_of(const Claim& claim) {
  std::string name(name_of(claim.kind));
  if (claim.kind.normalizer) name += fmt::format(" {}", to_string(*claim.kind.normalizer));
  return name;
}

}  // namespace attn::properties
