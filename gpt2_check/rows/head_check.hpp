#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "gpt2_check/experiments/selection.hpp"
#include "gpt2_check/rows/row.hpp"
#include "reports/judge/tally.hpp"

namespace attn::gpt2 {

/// The claims that every row is checked against: those that speak of given logits, queries and
/// keys, weights and vectors.
std::vector<const Claim*> row_claims();

/// Decides the claims on the rows of one head: the double filter first, the ladder for what stays
/// open.
class HeadCheck {
 public:
  /// The head is shared because the worst cases are made exact
  /// only when the record is written.
  HeadCheck(std::shared_ptr<const Head> head, report::Stage stage);

  /// Decides every claim on one row at one temperature, and on every set of it.
  void check(const RowSelections& row, double temperature);

  /// One for each of row_claims(), in that order.
  [[nodiscard]] std::vector<report::Tally> tallies() const;

 private:
  /// One decided case, with what is needed to build it again exactly.
  struct Checked {
    Decision decision;
    Row row;
    std::size_t n{};               ///< 0 where the claim has no set
    std::vector<std::size_t> set;  ///< for claims about any set
  };

  void check_dispersion(const Row& row, const RowWeights& weights);
  void check_gradient(const Row& row, const RowWeights& weights);
  void check_top_n(const Row& row, const RowWeights& weights, std::size_t n, const SetTerms& terms);
  void check_set(const Row& row, std::span<const std::size_t> set, const SetTerms& terms);
  void settle(std::size_t claim, const std::optional<Sides<ErrorDouble>>& sides, Checked at,
              const std::optional<Sides<ErrorDouble>>& shown = {});
  static Case exact_case(const Head& head, std::size_t claim, const Checked& at);
  [[nodiscard]] std::string where(const Checked& at) const;

  std::shared_ptr<const Head> head_;
  report::Stage stage_;
  Eigen::VectorXd q_length_, longest_key_;  ///< ||q_t||; max_{i <= t} ||k_i||
  std::vector<std::vector<Checked>> checked_;
};

}  // namespace attn::gpt2
