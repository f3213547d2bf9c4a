// The families of every kind of input: what is in each is in family.hpp, how it is drawn in draw_*.
#include <algorithm>
#include <initializer_list>

#include "properties/generators/family.hpp"
#include "properties/generators/membership.hpp"
#include "theory/base/overloaded.hpp"

namespace attn::properties {

namespace {

// A bound that is attained climbs the whole ladder, so families made of attained bounds stay small.
constexpr std::size_t kAttainedTokens = 12;
constexpr std::size_t kAttainedDimension = 4;

// A plan's Jacobian has n^2 rows; that of attention pooling attains its bound for every input.
constexpr std::size_t kPlanTokens = 5;
constexpr std::size_t kPoolingTokens = 10;

// Self-attention weighs every token for every other one.
constexpr std::size_t kAttendingTokens = 16;
constexpr std::size_t kAttendingDimension = 16;

// A sampled expectation costs a thousand filters, and a ladder of intervals is no help to it.
constexpr unsigned kFew = 2;
constexpr unsigned kRare = 4;

using Families = std::vector<Family>;

Families joined(std::initializer_list<std::span<const Family>> lists) {
  Families all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

constexpr Family kLogits[] = {
    {.name = "generic", .contains = is_any},
    {.name = "near_ties", .scores = ScorePattern::near_ties, .contains = has_near_tie},
    {.name = "exact_ties",
     .scores = ScorePattern::exact_ties,
     .max_tokens = kAttainedTokens,
     .contains = has_exact_tie},
    {.name = "one_dominant", .scores = ScorePattern::one_dominant, .contains = has_dominant_token},
    {.name = "flat",
     .scores = ScorePattern::flat,
     .max_tokens = kAttainedTokens,
     .contains = is_flat},
    {.name = "huge_gaps", .scores = ScorePattern::huge_gaps, .contains = has_huge_gap},
    {.name = "cancelling", .scores = ScorePattern::opposite_pairs, .contains = logits_cancel},
    {.name = "two_tokens", .max_tokens = 2, .contains = has_two_tokens},
    {.name = "tiny_temperature", .heat = TemperatureRange::tiny, .contains = is_cold},
    {.name = "large_temperature", .heat = TemperatureRange::large, .contains = is_hot},
};

constexpr Family kTwoLevel[] = {
    {.name = "two_level", .scores = ScorePattern::two_level, .contains = is_two_level},
};

constexpr Family kNearZero[] = {
    {.name = "near_zero", .scores = ScorePattern::near_zero, .contains = is_near_zero},
};

constexpr Family kOneAtAnEnd[] = {
    {.name = "one_at_an_end",
     .scores = ScorePattern::one_at_an_end,
     .max_tokens = kAttainedTokens,
     .contains = is_one_at_an_end},
};

constexpr Family other_normalizers(bool (*contains)(const CaseFeatures&)) {
  return {.name = "other_normalizers",
          .reach = SamplingMode::other_normalizers,
          .weight = kRare,
          .contains = contains};
}
constexpr Family kOutsideLemma1[] = {other_normalizers(is_outside_lemma1)};
constexpr Family kOutsideLemma2[] = {other_normalizers(is_outside_lemma2)};
constexpr Family kOutsideTheorem1[] = {other_normalizers(is_outside_theorem1)};

constexpr Family kQueryKeys[] = {
    {.name = "generic", .contains = is_any},
    {.name = "equal_keys",
     .vectors = Vectors::equal,
     .max_tokens = kAttainedTokens,
     .max_dimension = kAttainedDimension,
     .contains = has_equal_vectors},
    {.name = "aligned", .vectors = Vectors::collinear, .contains = has_aligned_query},
    {.name = "cancelling", .vectors = Vectors::opposite_pairs, .contains = vectors_cancel},
    {.name = "one_coordinate", .max_dimension = 1, .contains = has_one_coordinate},
    {.name = "two_tokens", .max_tokens = 2, .contains = has_two_tokens},
    {.name = "tiny_temperature", .heat = TemperatureRange::tiny, .contains = is_cold},
    {.name = "large_temperature", .heat = TemperatureRange::large, .contains = is_hot},
};

constexpr Family kScoredVectors[] = {
    {.name = "generic", .contains = is_any},
    {.name = "near_ties", .scores = ScorePattern::near_ties, .contains = has_near_tie},
    {.name = "exact_ties", .scores = ScorePattern::exact_ties, .contains = has_exact_tie},
    {.name = "one_dominant", .scores = ScorePattern::one_dominant, .contains = has_dominant_token},
    {.name = "flat", .scores = ScorePattern::flat, .contains = is_flat},
    {.name = "huge_gaps", .scores = ScorePattern::huge_gaps, .contains = has_huge_gap},
    {.name = "equal_embeddings",
     .vectors = Vectors::equal,
     .max_tokens = kAttainedTokens,
     .max_dimension = kAttainedDimension,
     .contains = has_equal_vectors},
    {.name = "collinear", .vectors = Vectors::collinear, .contains = has_collinear_vectors},
};

constexpr Family kCancellingPairs[] = {
    {.name = "cancelling",
     .scores = ScorePattern::equal_pairs,
     .vectors = Vectors::opposite_pairs,
     .contains = vectors_cancel},
};

constexpr Family kSelections[] = {
    {.name = "n_is_one", .selection = Selection::one, .contains = selects_one},
    {.name = "n_is_all_but_one",
     .selection = Selection::all_but_one,
     .contains = selects_all_but_one},
};

constexpr Family kTwoTokensAndHeat[] = {
    {.name = "two_tokens", .max_tokens = 2, .contains = has_two_tokens},
    {.name = "tiny_temperature", .heat = TemperatureRange::tiny, .contains = is_cold},
    {.name = "large_temperature", .heat = TemperatureRange::large, .contains = is_hot},
};

/// Scores and vectors of which some tokens are selected.
Families selected_vectors() {
  return joined({kScoredVectors, kCancellingPairs, kSelections, kTwoTokensAndHeat});
}

constexpr Family kEmptySink[] = {
    {.name = "empty_sink",
     .vectors = Vectors::zero_and_equal,
     .max_tokens = kAttainedTokens,
     .max_dimension = 1,
     .contains = has_empty_sink},
};

// One key: what is drawn by scores are the sums with the query, one a coordinate.
constexpr Family kQueryKey[] = {
    {.name = "generic", .contains = is_any},
    {.name = "equal_sums",
     .scores = ScorePattern::flat,
     .max_dimension = kAttainedTokens,
     .contains = has_equal_sums},
    {.name = "near_ties", .scores = ScorePattern::near_ties, .contains = is_any},
    {.name = "one_dominant", .scores = ScorePattern::one_dominant, .contains = is_any},
    {.name = "huge_gaps", .scores = ScorePattern::huge_gaps, .contains = is_any},
    {.name = "one_coordinate", .max_dimension = 1, .contains = has_one_coordinate},
};

constexpr Family kSelfAttention[] = {
    {.name = "generic",
     .max_tokens = kAttendingTokens,
     .max_dimension = kAttendingDimension,
     .contains = is_any},
    {.name = "equal_embeddings",
     .vectors = Vectors::equal,
     .max_tokens = kAttainedTokens,
     .max_dimension = kAttainedDimension,
     .contains = has_equal_vectors},
    {.name = "collinear",
     .vectors = Vectors::collinear,
     .max_tokens = kAttendingTokens,
     .max_dimension = kAttendingDimension,
     .contains = has_collinear_vectors},
    {.name = "cancelling",
     .vectors = Vectors::opposite_pairs,
     .max_tokens = kAttendingTokens,
     .max_dimension = kAttendingDimension,
     .contains = vectors_cancel},
    {.name = "one_coordinate",
     .max_tokens = kAttendingTokens,
     .max_dimension = 1,
     .contains = has_one_coordinate},
    {.name = "two_tokens",
     .max_tokens = 2,
     .max_dimension = kAttendingDimension,
     .contains = has_two_tokens},
    {.name = "tiny_temperature",
     .heat = TemperatureRange::tiny,
     .max_tokens = kAttainedTokens,
     .max_dimension = kAttainedDimension,
     .contains = is_cold},
    {.name = "large_temperature",
     .heat = TemperatureRange::large,
     .max_tokens = kAttendingTokens,
     .max_dimension = kAttendingDimension,
     .contains = is_hot},
};

constexpr Family kTwoLevels[] = {
    {.name = "long", .length = Length::long_alone, .contains = is_long},
    {.name = "longest", .length = Length::million, .contains = has_a_million_tokens},
    {.name = "tiny_temperature",
     .heat = TemperatureRange::tiny,
     .length = Length::long_alone,
     .contains = is_cold},
    {.name = "large_temperature",
     .heat = TemperatureRange::large,
     .length = Length::long_alone,
     .contains = is_hot},
    {.name = "short_context", .weight = kRare, .contains = is_short},
};

constexpr Family kSampledSets[] = {
    {.name = "sampled",
     .reach = SamplingMode::sampled,
     .max_dimension = kAttainedDimension,
     .weight = kFew,
     .contains = has_sets_to_sample},
};

// Statements about growing L: those about a fixed N speak of L >= 1000 N, the others of L >= 1000.
constexpr Family kFlatFamily[] = {
    {.name = "fixed_n", .length = Length::long_beside_n, .contains = is_long_beside_n},
    {.name = "proportional", .length = Length::long_alone, .contains = is_long},
    {.name = "longest", .length = Length::million, .contains = has_a_million_tokens},
    {.name = "n_is_one",
     .selection = Selection::one,
     .length = Length::long_beside_n,
     .contains = selects_one},
    {.name = "n_is_all_but_one",
     .selection = Selection::all_but_one,
     .length = Length::long_alone,
     .contains = selects_all_but_one},
    {.name = "short_context", .weight = kRare, .contains = is_short},
};

constexpr Family kSphere[] = {
    {.name = "generic", .contains = is_any},
    {.name = "near_ties", .scores = ScorePattern::near_ties, .contains = has_near_tie},
    {.name = "exact_ties", .scores = ScorePattern::exact_ties, .contains = has_exact_tie},
    {.name = "one_dominant", .scores = ScorePattern::one_dominant, .contains = has_dominant_token},
    {.name = "flat", .scores = ScorePattern::flat, .contains = is_flat},
    {.name = "huge_gaps", .scores = ScorePattern::huge_gaps, .contains = has_huge_gap},
    {.name = "n_is_all_but_one",
     .selection = Selection::all_but_one,
     .contains = selects_all_but_one},
    {.name = "other_dimensions",
     .reach = SamplingMode::sampled,
     .weight = kFew,
     .contains = is_in_other_dimensions},
};

// They select one token: every xi_i is 0, and no r > 0 lies below.
constexpr Family kSphereOfOne[] = {
    {.name = "n_is_one", .selection = Selection::one, .contains = selects_one},
    {.name = "two_tokens", .max_tokens = 2, .contains = has_two_tokens},
};

constexpr Family kPlans[] = {
    {.name = "generic", .max_tokens = kPlanTokens, .contains = is_any},
    {.name = "flat",
     .scores = ScorePattern::flat,
     .max_tokens = kPlanTokens,
     .contains = is_flat_plan},
    {.name = "one_dominant",
     .scores = ScorePattern::one_dominant,
     .max_tokens = kPlanTokens,
     .contains = is_nearly_permutation},
    {.name = "two_tokens", .max_tokens = 2, .contains = has_two_tokens},
    {.name = "tiny_temperature",
     .heat = TemperatureRange::tiny,
     .max_tokens = kPlanTokens,
     .contains = is_cold},
    {.name = "large_temperature",
     .heat = TemperatureRange::large,
     .max_tokens = kPlanTokens,
     .contains = is_hot},
};

// The families of each kind.

Families families(const NormalizedRow&) {
  return joined({kLogits, kOutsideLemma2});
}

Families families(const SoftmaxRow&) {
  return joined({kLogits});
}

Families families(const TwoTemperatureLogits&) {
  return joined({kLogits});
}

Families families(const BoundedRow&) {
  return joined({kLogits, kOneAtAnEnd, kOutsideLemma1});
}

Families families(const FixedNormalizerLogits& kind) {
  if (kind.normalizer == Normalizer::entmax) return joined({kLogits, kTwoLevel});
  return joined({kLogits});
}

Families families(const PoolingRow&) {
  Families all = joined({kLogits});
  for (Family& family : all) family.max_tokens = std::min(family.max_tokens, kPoolingTokens);
  return all;
}

Families families(const PolynomialRow&) {
  return joined({kLogits});
}

Families families(const SoftmaxDirection&) {
  return joined({kLogits});
}

Families families(const SoftmaxSteps&) {
  return joined({kLogits});
}

Families families(const FixedNormalizerStep&) {
  return joined({kLogits, kNearZero});
}

Families families(const StepWithin&) {
  return joined({kLogits, kNearZero});
}

Families families(const QueryKeys&) {
  return joined({kQueryKeys});
}

Families families(const QueryKey&) {
  return joined({kQueryKey});
}

Families families(const SelfAttention&) {
  return joined({kSelfAttention});
}

Families families(const WeightedEmbeddings&) {
  return joined({kScoredVectors, kCancellingPairs, kTwoTokensAndHeat, kOutsideTheorem1});
}

Families families(const PoolingEmbeddings&) {
  return joined({kScoredVectors, kCancellingPairs, kTwoTokensAndHeat});
}

Families families(const SinkEmbeddings&) {
  return joined({kScoredVectors, kEmptySink, kTwoTokensAndHeat, kOutsideTheorem1});
}

Families families(const TopNEmbeddings&) {
  return joined({selected_vectors(), kOutsideTheorem1});
}

Families families(const SetEmbeddings&) {
  return joined({selected_vectors(), kOutsideTheorem1});
}

Families families(const RandomSetEmbeddings&) {
  return joined({selected_vectors(), kSampledSets, kOutsideTheorem1});
}

Families families(const EqualTokens&) {
  return joined({kFlatFamily});
}

Families families(const TwoLevelTokens&) {
  return joined({kTwoLevels});
}

Families families(const SphereEmbeddings&, Radius radius) {
  return radius == Radius::any ? joined({kSphere, kSphereOfOne}) : joined({kSphere});
}

Families families(const TransportPlan&) {
  return joined({kPlans});
}

}  // namespace

std::vector<Family> families_of(const InputDomain& given) {
  return std::visit(Overloaded{
                        [&](const SphereEmbeddings& kind) { return families(kind, given.radius); },
                        [](const auto& kind) { return families(kind); },
                    },
                    given.kind);
}

}  // namespace attn::properties
