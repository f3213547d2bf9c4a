#pragma once

#include "properties/generators/family.hpp"
#include "properties/generators/membership.hpp"

/// The families of cases, of which property.cpp gives each kind its own: what is in each is in
/// family.hpp, how it is drawn in draw_*.
namespace attn::properties {

// A bound that is attained climbs the whole ladder, so families made of attained bounds stay small.
inline constexpr std::size_t kAttainedTokens = 12;
inline constexpr std::size_t kAttainedDimension = 4;

// A plan's Jacobian has n^2 rows; that of attention pooling attains its bound for every input.
inline constexpr std::size_t kPlanTokens = 5;
inline constexpr std::size_t kPoolingTokens = 10;

// Self-attention weighs every token for every other one.
inline constexpr std::size_t kAttendingTokens = 16;
inline constexpr std::size_t kAttendingDimension = 16;

// A sampled expectation costs a thousand filters, and a ladder of intervals is no help to it.
inline constexpr unsigned kFew = 2;
inline constexpr unsigned kRare = 4;

inline constexpr Family kLogits[] = {
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

inline constexpr Family kTwoLevel[] = {
    {.name = "two_level", .scores = ScorePattern::two_level, .contains = is_two_level},
};

inline constexpr Family kNearZero[] = {
    {.name = "near_zero", .scores = ScorePattern::near_zero, .contains = is_near_zero},
};

inline constexpr Family kOneAtAnEnd[] = {
    {.name = "one_at_an_end",
     .scores = ScorePattern::one_at_an_end,
     .max_tokens = kAttainedTokens,
     .contains = is_one_at_an_end},
};

inline constexpr Family other_normalizers(bool (*contains)(const CaseFeatures&)) {
  return {.name = "other_normalizers",
          .reach = SamplingMode::other_normalizers,
          .weight = kRare,
          .contains = contains};
}
inline constexpr Family kOutsideLemma1[] = {other_normalizers(is_outside_lemma1)};
inline constexpr Family kOutsideLemma2[] = {other_normalizers(is_outside_lemma2)};
inline constexpr Family kOutsideTheorem1[] = {other_normalizers(is_outside_theorem1)};

inline constexpr Family kQueryKeys[] = {
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

inline constexpr Family kScoredVectors[] = {
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

/// Without vectors.
inline constexpr Family kScores[] = {
    {.name = "generic", .contains = is_any},
    {.name = "near_ties", .scores = ScorePattern::near_ties, .contains = has_near_tie},
    {.name = "exact_ties", .scores = ScorePattern::exact_ties, .contains = has_exact_tie},
    {.name = "one_dominant", .scores = ScorePattern::one_dominant, .contains = has_dominant_token},
    {.name = "flat", .scores = ScorePattern::flat, .contains = is_flat},
    {.name = "huge_gaps", .scores = ScorePattern::huge_gaps, .contains = has_huge_gap},
};

inline constexpr Family kCompetitors[] = {
    {.name = "generic", .contains = is_any},
};

inline constexpr Family kCancellingPairs[] = {
    {.name = "cancelling",
     .scores = ScorePattern::equal_pairs,
     .vectors = Vectors::opposite_pairs,
     .contains = vectors_cancel},
};

inline constexpr Family kSelections[] = {
    {.name = "n_is_one", .selection = Selection::one, .contains = selects_one},
    {.name = "n_is_all_but_one",
     .selection = Selection::all_but_one,
     .contains = selects_all_but_one},
};

inline constexpr Family kTwoTokensAndHeat[] = {
    {.name = "two_tokens", .max_tokens = 2, .contains = has_two_tokens},
    {.name = "tiny_temperature", .heat = TemperatureRange::tiny, .contains = is_cold},
    {.name = "large_temperature", .heat = TemperatureRange::large, .contains = is_hot},
};

inline constexpr Family kEmptySink[] = {
    {.name = "empty_sink",
     .vectors = Vectors::zero_and_equal,
     .max_tokens = kAttainedTokens,
     .max_dimension = 1,
     .contains = has_empty_sink},
};

// One key: what is drawn by scores are the sums with the query, one a coordinate.
inline constexpr Family kQueryKey[] = {
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

inline constexpr Family kSelfAttention[] = {
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

inline constexpr Family kTwoLevels[] = {
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

inline constexpr Family kSampledSets[] = {
    {.name = "sampled",
     .reach = SamplingMode::sampled,
     .max_dimension = kAttainedDimension,
     .weight = kFew,
     .contains = has_sets_to_sample},
};

// Statements about growing L: those about a fixed N speak of L >= 1000 N, the others of L >= 1000.
inline constexpr Family kFlatFamily[] = {
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

inline constexpr Family kSphere[] = {
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
inline constexpr Family kSphereOfOne[] = {
    {.name = "n_is_one", .selection = Selection::one, .contains = selects_one},
    {.name = "two_tokens", .max_tokens = 2, .contains = has_two_tokens},
};

inline constexpr Family kPlans[] = {
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

}  // namespace attn::properties
