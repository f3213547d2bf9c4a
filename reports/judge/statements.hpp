#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "reports/record/measurements.hpp"

namespace attn::report {

// The statements of the paper about trained models that gpt2_check measures.

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

/// Whether what was measured agrees with a statement of the paper, by the statement's id: true
/// where the whole interval lies in what is stated, false where it lies wholly outside, empty where
/// it does neither or has a NaN. `largest`: of the gradient, which says something of every row, the
/// largest value of all; one above what is stated does not agree. Throws std::logic_error for
/// another id, as the next does.
std::optional<bool> agreement(std::string_view id, const Found& found,
                              std::optional<double> largest = {});

/// Sets what the paper says (`says`) and what was measured (`measured`) of a statement, from its
/// numbers, of which it has those that has_numbers asks for; without an estimate nothing was.
/// `over`: what means are taken over.
void put_into_words(PaperStatement& entry, std::string_view over = "the heads");

/// Whether a statement without an estimate, or with one and the numbers that its words take.
bool has_numbers(const PaperStatement& entry);

/// What an estimate must be for the statement to be borne out: "a ratio below 1"; empty for another
/// id.
std::string_view allowed_words(std::string_view id);

/// The ids of the statements, in their order.
std::vector<std::string_view> statement_ids();

/// The paper: "lowering T below 0.1 increases Jacobian norms".
inline constexpr double kCold = 0.1;

}  // namespace attn::report
