#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpt2_check/heads/head.hpp"
#include "theory/attention/case.hpp"
#include "theory/claims/claim.hpp"

namespace attn::gpt2 {

/// One row of a head: what the query at `row` reads from the tokens that the head's mask
/// shows it, at a temperature T. The logits are l_i = q_row . k_i.
struct Row {
  std::int64_t row{};
  double temperature{};
};

/// One case of a row: the row itself, or the row with some of its tokens selected.
struct RowCase {
  Row row;
  std::size_t n{};  ///< how many tokens are selected; 0 where none are
  /// Which tokens are selected, counted from the first that the row sees; empty for the n largest
  /// weights.
  std::vector<std::size_t> set{};
  /// The normaliser in place of softmax, where the kind leaves it open.
  Normalizer normalizer{Normalizer::softmax};
  std::size_t appended{};  ///< how many of the last tokens come after the others; 0: half of them
  std::size_t exponent{};  ///< p of a norm; 0: 1
  std::string_view set_is{};  ///< what the set is called; empty where place() is told

  /// "layer 3, head 2, row 17, T 8, N 5 (random set)", with the words of `set` in brackets.
  [[nodiscard]] std::string place(const Head& head, std::string_view set_name) const;
};

/// Whether a kind's step has a direction and a length of its own, which the largest steps of a
/// head give (LargestSteps), no row by itself.
bool is_of_largest_steps(const InputKind& kind);

/// The kinds that claims on rows read of which no token is selected, and that are of no largest
/// steps.
std::span<const InputKind> kinds_without_set();

/// Whether a row of so many tokens is one of the few on which a claim without a kernel is decided:
/// those at the positions 2^n - 1 of at most 64 tokens.
bool has_few(std::size_t tokens, const Row& row);

/// The cases that a row gives of such a kind, of softmax: one, but of a row that grows two, by half
/// of its tokens and by the last one, and of a norm those of the exponents 1, 2, 3 and 8.
std::vector<RowCase> variants_of(const InputKind& kind, const Row& row);

/// The kinds that such claims read of which the N largest weights and any set both give a case.
std::span<const InputKind> kinds_with_any_set();

/// Whether a kind reads values: embeddings, their sphere, or selected tokens, which are selected
/// where there are values alone.
bool reads_values(const InputKind& kind);

/// Whether the head knows what a kind reads of a row: false where the row has no logits, the head
/// no values, or no queries and a key for each token, and the kind reads them.
bool has_case(const Head& head, const InputKind& kind, const Row& row);

/// What claims read of one row, every stored number taken as exact. Where the weights alone are
/// known, cases with embeddings hold them, at the temperature of the pattern; the others hold the
/// head's logits. What several cases read is computed once; not to be shared between threads.
///
/// What a row does not have is taken so:
/// * a step: to the logits of the next query; two lengths of it: T and 2T
/// * a colder temperature: T/2; the gain of pooling: 1; the degree of polynomial attention: 3, with
///   the largest |l_i| as the bound; the Lipschitz constant of step_within: 1
/// * appended logits: those of the last half of the tokens, or of the last token
/// * a query and one key: that of the query's own token, or of the last one that it sees
/// * the direction of a sink: the sum of all embeddings but the first; its reach: the least
///   projection of those on it, less one part in a million, or 1 where that is not above 0
/// * the direction along which the tokens reach that are not selected: the sum of their embeddings;
///   how far: as for a sink
/// * the useful tokens: those of the set, or the latest half as many as are kept
/// * a sphere (Assumption 1 of Theorem 2): its radius the root mean square of the ||x_i||, its
///   weights the row's as doubles, over their sum, r the distance from s to the nearest a_i x_i
///   that is not selected, as computed in doubles, delta 0
class ExactRow {
 public:
  /// `head` must outlive it.
  ExactRow(const Head& head, const Row& row) : head_(head), row_(row) {}

  /// A case of a kind of is_on_rows(), any but softmax_direction, which needs a chosen step as
  /// well; throws std::logic_error for any other. `at` is of this row. Empty where the row gives
  /// none: without has_case(); a step, where no next query with other logits sees these tokens too;
  /// a sphere, a bound or a direction that is 0.
  [[nodiscard]] std::optional<Case> case_of(const InputKind& kind, const RowCase& at) const;

 private:
  struct Shares {
    Eigen::VectorXd near;         ///< the weights as doubles
    std::vector<Rational> exact;  ///< the exact numbers of the weights over their sum
  };
  [[nodiscard]] const std::vector<Rational>& logits() const;
  [[nodiscard]] const std::vector<Rational>& step() const;  ///< empty where there is none
  [[nodiscard]] const Shares& shares() const;
  /// A case with the fields that every row has.
  [[nodiscard]] Case of_fields(const InputKind& kind, const RowCase& at) const;
  [[nodiscard]] Eigen::Index own_key() const;
  /// Puts the sphere into the case; false where r is no positive number.
  bool set_sphere(Case& input) const;

  const Head& head_;
  Row row_;
  mutable std::vector<Rational> logits_;
  mutable std::optional<std::vector<Rational>> step_;
  mutable std::optional<Shares> shares_;
};

/// The indices of so many tokens in a row.
std::vector<std::size_t> tokens_from(std::size_t first, std::size_t count);

/// One case by itself; throws std::bad_optional_access where the row gives none.
Case exact_case(const Head& head, const InputKind& kind, const RowCase& at);

/// Logits, temperature, and a step of length epsilon that raises one token and lowers another.
Case exact_step(const Head& head, const Row& row, double epsilon, std::size_t raised,
                std::size_t lowered);

}  // namespace attn::gpt2
