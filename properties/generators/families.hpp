#pragma once

#include <algorithm>

#include "properties/generators/family.hpp"

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

/// The family with at most so many tokens and coordinates.
constexpr Family at_most(Family family, std::size_t tokens, std::size_t dimension = 64) {
  family.max_tokens = std::min(family.max_tokens, tokens);
  family.max_dimension = std::min(family.max_dimension, dimension);
  return family;
}
constexpr Family attained(const Family& family) {
  return at_most(family, kAttainedTokens, kAttainedDimension);
}
constexpr Family attending(const Family& family) {
  return at_most(family, kAttendingTokens, kAttendingDimension);
}

// What the lists below have in common.

inline constexpr Family kGeneric{.name = "generic"};
inline constexpr Family kNearTies{.name = "near_ties", .scores = ScorePattern::near_ties};
inline constexpr Family kExactTies{.name = "exact_ties", .scores = ScorePattern::exact_ties};
inline constexpr Family kOneDominant{.name = "one_dominant", .scores = ScorePattern::one_dominant};
inline constexpr Family kFlat{.name = "flat", .scores = ScorePattern::flat};
inline constexpr Family kHugeGaps{.name = "huge_gaps", .scores = ScorePattern::huge_gaps};
inline constexpr Family kEqualEmbeddings{.name = "equal_embeddings", .vectors = Vectors::equal};
inline constexpr Family kCollinear{.name = "collinear", .vectors = Vectors::collinear};
inline constexpr Family kCancellingVectors{.name = "cancelling",
                                           .vectors = Vectors::opposite_pairs};
inline constexpr Family kOneCoordinate{.name = "one_coordinate", .max_dimension = 1};
inline constexpr Family kOneSelected{.name = "n_is_one", .selection = Selection::one};
inline constexpr Family kAllButOneSelected{.name = "n_is_all_but_one",
                                           .selection = Selection::all_but_one};
inline constexpr Family kTokenPair{.name = "two_tokens", .max_tokens = 2};
inline constexpr Family kCold{.name = "tiny_temperature", .temperature = TemperatureRange::tiny};
inline constexpr Family kHot{.name = "large_temperature", .temperature = TemperatureRange::large};
inline constexpr Family kLongestContext{.name = "longest", .length = Length::million};
inline constexpr Family kShortContext{.name = "short_context", .weight = kRare};

constexpr Family in_long_context(Family family) {
  family.length = Length::long_alone;
  return family;
}

// The families of a kind, or of several.

inline constexpr Family kLogits[] = {kGeneric,
                                     kNearTies,
                                     at_most(kExactTies, kAttainedTokens),
                                     kOneDominant,
                                     at_most(kFlat, kAttainedTokens),
                                     kHugeGaps,
                                     {.name = "cancelling", .scores = ScorePattern::opposite_pairs},
                                     kTokenPair,
                                     kCold,
                                     kHot};

inline constexpr Family kTwoLevel[] = {{.name = "two_level", .scores = ScorePattern::two_level}};

inline constexpr Family kNearZero[] = {{.name = "near_zero", .scores = ScorePattern::near_zero}};

inline constexpr Family kOneAtAnEnd[] = {{.name = "one_at_an_end",
                                          .scores = ScorePattern::one_at_an_end,
                                          .max_tokens = kAttainedTokens}};

/// Normalisers that the claim does not speak of.
inline constexpr Family kOtherNormalizers[] = {
    {.name = "other_normalizers", .sampling = SamplingMode::other_normalizers, .weight = kRare}};

inline constexpr Family kQueryKeys[] = {kGeneric,
                                        attained({.name = "equal_keys", .vectors = Vectors::equal}),
                                        {.name = "aligned", .vectors = Vectors::collinear},
                                        kCancellingVectors,
                                        kOneCoordinate,
                                        kTokenPair,
                                        kCold,
                                        kHot};

/// Families of scores without vectors.
inline constexpr Family kScores[] = {kGeneric,     kNearTies, kExactTies,
                                     kOneDominant, kFlat,     kHugeGaps};

inline constexpr Family kScoredVectors[] = {
    kGeneric,  kNearTies, kExactTies, kOneDominant, kFlat, kHugeGaps, attained(kEqualEmbeddings),
    kCollinear};

inline constexpr Family kCancellingPairs[] = {{.name = "cancelling",
                                               .scores = ScorePattern::equal_pairs,
                                               .vectors = Vectors::opposite_pairs}};

inline constexpr Family kSelections[] = {kOneSelected, kAllButOneSelected};

inline constexpr Family kTwoTokensAndHeat[] = {kTokenPair, kCold, kHot};

inline constexpr Family kEmptySink[] = {{.name = "empty_sink",
                                         .vectors = Vectors::zero_and_equal,
                                         .max_tokens = kAttainedTokens,
                                         .max_dimension = 1}};

// One key: what is drawn by scores are the sums with the query, one a coordinate.
inline constexpr Family kQueryKey[] = {
    kGeneric,
    {.name = "equal_sums", .scores = ScorePattern::flat, .max_dimension = kAttainedTokens},
    kNearTies,
    kOneDominant,
    kHugeGaps,
    kOneCoordinate};

inline constexpr Family kSelfAttention[] = {
    attending(kGeneric),       attained(kEqualEmbeddings),
    attending(kCollinear),     attending(kCancellingVectors),
    attending(kOneCoordinate), attending(kTokenPair),
    attained(kCold),           attending(kHot)};

inline constexpr Family kTwoLevels[] = {{.name = "long", .length = Length::long_alone},
                                        kLongestContext,
                                        in_long_context(kCold),
                                        in_long_context(kHot),
                                        kShortContext};

inline constexpr Family kLoneLogits[] = {kGeneric, kTokenPair, kCold, kHot};

inline constexpr Family kSampledSets[] = {{.name = "sampled",
                                           .sampling = SamplingMode::sampled,
                                           .max_dimension = kAttainedDimension,
                                           .weight = kFew}};

// Statements about growing L: those about a fixed N speak of L >= 1000 N, the others of L >= 1000.
inline constexpr Family kFlatFamily[] = {
    {.name = "fixed_n", .length = Length::long_beside_n},
    {.name = "proportional", .length = Length::long_alone},
    kLongestContext,
    {.name = "n_is_one", .selection = Selection::one, .length = Length::long_beside_n},
    in_long_context(kAllButOneSelected),
    kShortContext};

inline constexpr Family kSphere[] = {
    kGeneric,
    kNearTies,
    kExactTies,
    kOneDominant,
    kFlat,
    kHugeGaps,
    kAllButOneSelected,
    {.name = "other_dimensions", .sampling = SamplingMode::sampled, .weight = kFew}};

// They select one token: every xi_i is 0, and no r > 0 lies below.
inline constexpr Family kSphereOfOne[] = {kOneSelected, kTokenPair};

inline constexpr Family kPlans[] = {at_most(kGeneric, kPlanTokens),     at_most(kFlat, kPlanTokens),
                                    at_most(kOneDominant, kPlanTokens), kTokenPair,
                                    at_most(kCold, kPlanTokens),        at_most(kHot, kPlanTokens)};

}  // namespace attn::properties
