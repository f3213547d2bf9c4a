#pragma once

#include <algorithm>
#include <array>

#include "properties/generators/membership.hpp"
#include "properties/property.hpp"

namespace attn::properties {

/// Well below what the families give, so that only a generator gone wrong falls short.
inline constexpr double kOften = 0.02;
inline constexpr double kSometimes = 0.002;
inline constexpr double kSeldom = 0.001;

/// The classes of several lists.
template <std::size_t... N>
constexpr auto joined(const std::array<InputClass, N>&... lists) {
  std::array<InputClass, (N + ...)> all{};
  auto at = all.begin();
  ((at = std::copy(lists.begin(), lists.end(), at)), ...);
  return all;
}

inline constexpr std::array kScoreClasses{
    InputClass{"exact ties", has_exact_tie, kOften},
    InputClass{"near ties", has_near_tie, kOften},
    InputClass{"one dominant", has_dominant_token, kOften},
    InputClass{"flat", is_flat, kOften},
    InputClass{"huge gaps", has_huge_gap, kOften},
};

inline constexpr std::array kTwoTokens{InputClass{"L = 2", has_tokens<2>, kOften}};

inline constexpr std::array kTokenClasses{
    InputClass{"L = 2", has_tokens<2>, kOften},
    InputClass{"L = 64", has_tokens<64>, kSometimes},
};

inline constexpr std::array kTemperatureClasses{
    InputClass{"tiny T", is_cold, kOften},
    InputClass{"large T", is_hot, kOften},
};

inline constexpr std::array kSelectionClasses{
    InputClass{"N = 1", selects_one, kOften},
    InputClass{"N = L-1", selects_all_but_one, kOften},
};

inline constexpr std::array kDimensionClasses{
    InputClass{"d = 1", has_coordinates<1>, kOften},
    InputClass{"d = 64", has_coordinates<64>, kSometimes},
};

inline constexpr std::array kLemma1Normalizers{
    InputClass{"softmax", uses<Normalizer::softmax>, kOften},
    InputClass{"sigmoid", uses<Normalizer::sigmoid>, kOften},
    InputClass{"softplus", uses<Normalizer::softplus>, kOften},
    InputClass{"taylor", uses<Normalizer::taylor>, kOften},
};
inline constexpr std::array kLemma2Normalizers =
    joined(kLemma1Normalizers,
           std::array{InputClass{"scalable softmax", uses<Normalizer::scalable_softmax>, kOften}});

/// Half of these cases have weights in place of logits.
inline constexpr std::array kTheorem1Normalizers{
    InputClass{"softmax", uses<Normalizer::softmax>, kOften},
    InputClass{"sigmoid", uses<Normalizer::sigmoid>, kSometimes},
    InputClass{"softplus", uses<Normalizer::softplus>, kSometimes},
    InputClass{"taylor", uses<Normalizer::taylor>, kSometimes},
    InputClass{"scalable softmax", uses<Normalizer::scalable_softmax>, kSometimes},
    InputClass{"sparsemax", uses<Normalizer::sparsemax>, kSometimes},
    InputClass{"entmax", uses<Normalizer::entmax>, kSometimes},
};

/// Logits of a normaliser that the claim names.
inline constexpr std::array kLogitClasses =
    joined(kScoreClasses, std::array{InputClass{"cancelling", logits_cancel, kOften}},
           kTokenClasses, kTemperatureClasses);

inline constexpr std::array kLemma1Classes =
    joined(kLogitClasses, kLemma1Normalizers,
           std::array{InputClass{"one at an end", is_one_at_an_end, kOften},
                      InputClass{"bound attained", bound_is_attained, kOften},
                      InputClass{"bound left open", bound_is_absent, kOften},
                      InputClass{"outside the assumptions", is_outside_lemma1, kSometimes}});

inline constexpr std::array kLemma2Classes =
    joined(kLogitClasses, kLemma2Normalizers,
           std::array{InputClass{"outside the assumptions", is_outside_lemma2, kSometimes}});

inline constexpr std::array kQueryClasses =
    joined(std::array{InputClass{"equal keys", has_equal_vectors, kOften},
                      InputClass{"query along the keys", has_aligned_query, kOften},
                      InputClass{"cancelling", vectors_cancel, kOften}},
           kTokenClasses, kDimensionClasses, kTemperatureClasses);

inline constexpr std::array kOneQueryKeyClasses =
    joined(std::array{InputClass{"equal sums", has_equal_sums, kOften},
                      InputClass{"one dominant", has_dominant_sum, kOften}},
           kDimensionClasses);

inline constexpr std::array kZeroWeights{InputClass{"weights of zero", has_zero_weight, kOften}};

inline constexpr std::array kAlignedVectors{
    InputClass{"equal embeddings", has_equal_vectors, kOften},
    InputClass{"collinear embeddings", has_collinear_vectors, kOften}};

inline constexpr std::array kVectorClasses =
    joined(std::array{InputClass{"cancelling", vectors_cancel, kOften}}, kAlignedVectors);

/// Scores, in any of the forms that Theorem 1 speaks of.
inline constexpr std::array kScoreFormClasses =
    joined(kTokenClasses, kDimensionClasses, kTemperatureClasses, kTheorem1Normalizers);

/// Scores, in the forms that Theorem 1 speaks of and in some that it does not.
inline constexpr std::array kTheorem1Classes =
    joined(kScoreFormClasses,
           std::array{InputClass{"outside the assumptions", is_outside_theorem1, kSometimes}});

inline constexpr std::array kWeightedClasses =
    joined(kScoreClasses, kZeroWeights, kVectorClasses, kTheorem1Classes);

inline constexpr std::array kPoolingClasses =
    joined(kScoreClasses, kVectorClasses, kTokenClasses, kDimensionClasses, kTemperatureClasses);

inline constexpr std::array kSinkClasses =
    joined(kScoreClasses, kZeroWeights, kAlignedVectors,
           std::array{InputClass{"empty sink", has_empty_sink, kOften}}, kTheorem1Classes);

inline constexpr std::array kSelfAttentionClasses =
    joined(kVectorClasses, kTwoTokens, std::array{InputClass{"d = 1", has_coordinates<1>, kOften}},
           kTemperatureClasses);

inline constexpr std::array kEmbeddingClasses =
    joined(kScoreClasses, kZeroWeights, kVectorClasses, kSelectionClasses, kTheorem1Classes);

inline constexpr std::array kChosenWeightClasses =
    joined(kScoreClasses, kZeroWeights, kSelectionClasses, kTokenClasses, kTemperatureClasses,
           kTheorem1Normalizers,
           std::array{InputClass{"outside the assumptions", is_outside_theorem1, kSometimes}});

inline constexpr std::array kAlongClasses =
    joined(kScoreClasses, kZeroWeights, kAlignedVectors, kSelectionClasses, kTheorem1Classes);

inline constexpr std::array kStepEmbeddingClasses =
    joined(kScoreClasses, kAlignedVectors, kTokenClasses, kDimensionClasses, kTemperatureClasses);

inline constexpr std::array kCompetitorClasses{InputClass{"n = 64", has_tokens<64>, kSometimes}};

/// A figure of the paper speaks of more selected tokens.
inline constexpr std::array kTopNClasses =
    joined(kEmbeddingClasses, std::array{InputClass{"N > 16", selects_more_than_16, kOften}});

inline constexpr std::array kRandomSetClasses =
    joined(kScoreClasses, kZeroWeights, kVectorClasses, kSelectionClasses, kScoreFormClasses,
           std::array{InputClass{"weights of other sums", is_outside_theorem1, kSometimes},
                      InputClass{"sampled", has_sets_to_sample, kSeldom}});

inline constexpr std::array kFlatFamilyClasses =
    joined(kSelectionClasses, kDimensionClasses,
           std::array{InputClass{"L >= 1000 N", is_long_beside_n, kOften},
                      InputClass{"L >= 1000", is_long, kOften},
                      InputClass{"L = 1000000", has_tokens<kMillion>, kOften},
                      InputClass{"outside the assumptions", is_short, kSometimes}});

inline constexpr std::array kTwoLevelTokenClasses = joined(
    kTemperatureClasses, std::array{InputClass{"L >= 1000", is_long, kOften},
                                    InputClass{"L = 1000000", has_tokens<kMillion>, kOften},
                                    InputClass{"outside the assumptions", is_short, kSometimes}});

inline constexpr std::array kLoneLogitClasses =
    joined(kTemperatureClasses, kTwoTokens,
           std::array{InputClass{"longer >= 1000 L", is_far_longer, kOften},
                      InputClass{"outside the assumptions", is_no_longer, kSometimes}});

inline constexpr std::array kSphereClasses =
    joined(kScoreClasses, kSelectionClasses, kTokenClasses, kZeroWeights,
           std::array{InputClass{"d = 1", is_on_sphere<1>, kOften},
                      InputClass{"d = 3", is_on_sphere<3>, kOften},
                      InputClass{"sampled", is_in_other_dimensions, kSeldom}});

inline constexpr std::array kLongerRowClasses =
    joined(kLogitClasses, std::array{InputClass{"one appended", has_one_appended, kOften},
                                     InputClass{"a larger one appended", is_overtaken, kOften}});

inline constexpr std::array kStepNormClasses =
    joined(kLogitClasses, std::array{InputClass{"p = 1", has_exponent<1>, kOften},
                                     InputClass{"p > 8", has_large_exponent, kOften}});

inline constexpr std::array kDirectionClasses =
    joined(kLogitClasses, std::array{InputClass{"short step", is_short_step, kOften},
                                     InputClass{"long step", is_long_step, kOften},
                                     InputClass{"two tokens move", moves_two_tokens, kOften}});

inline constexpr std::array kStepClasses =
    joined(kLogitClasses, std::array{InputClass{"near zero", is_near_zero, kOften}});

inline constexpr std::array kTwoLevelClasses =
    joined(kLogitClasses, std::array{InputClass{"two levels", is_two_level, kOften}});

inline constexpr std::array kPolynomialClasses =
    joined(kLogitClasses, std::array{InputClass{"odd degree", is_odd_degree, kOften},
                                     InputClass{"even degree", is_even_degree, kOften},
                                     InputClass{"bound attained", bound_is_attained, kOften}});

/// Classes of logits without long rows.
inline constexpr std::array kShortLogitClasses =
    joined(kScoreClasses, std::array{InputClass{"cancelling", logits_cancel, kOften}}, kTwoTokens,
           kTemperatureClasses);

inline constexpr std::array kPlanClasses =
    joined(std::array{InputClass{"flat", is_flat_plan, kOften},
                      InputClass{"near a permutation", is_nearly_permutation, kOften}},
           kTwoTokens, kTemperatureClasses);

}  // namespace attn::properties
