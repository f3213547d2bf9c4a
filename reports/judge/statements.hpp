#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "reports/record/measurements.hpp"

namespace attn::report {

// The statements of the paper's abstract that gpt2_check measures.

/// The shortest L of the paper's experiments, which end at 1,024 tokens.
inline constexpr double kShortestOfPaper = 32;

/// Whether D was measured at lengths below those that its statement speaks of.
bool is_too_short(const PaperStatement& entry);

/// Most heads of which no exact two-sample Kolmogorov-Smirnov test rejects at level 0.01: of four
/// and four values that lie wholly apart, p is 2/C(8, 4), about 0.03. They have no critical N.
inline constexpr std::size_t kMostHeadsNeverApart = 4;

/// Whether an input with embeddings has too few heads for a critical N.
bool lacks_heads_for_critical_n(const Measurements& measured);

/// The largest T ||J|| of the points, NaN where one is; none where none has one.
std::optional<double> largest_of(const std::vector<AbstractPoint>& points);

/// The interval of an estimate.
struct Found {
  double low{}, high{};
};

/// Whether what was measured agrees with a statement of the abstract, by the statement's id: true
/// where the whole interval lies in what is stated, false where it lies wholly outside, empty where
/// it does neither or has a NaN. `largest`: of the gradient, which says something of every row, the
/// largest value of all; one above what is stated does not agree. Throws std::logic_error for
/// another id, as the next does.
std::optional<bool> agreement(std::string_view id, const Found& found,
                              std::optional<double> largest = {});

/// Sets what the paper says (`says`) and what was measured (`measured`) of a statement, from its
/// numbers: of the distance the points at the shortest and the longest L, of the gradient the
/// largest of its points. `over`: what means are taken over.
void put_into_words(PaperStatement& entry, std::string_view over = "the heads");

}  // namespace attn::report
