#include "gpt2_check/heads/head.hpp"

#include <algorithm>
#include <cmath>

#include "gpt2_check/heads/matrix.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {

bool Head::has_logits(Eigen::Index row) const {
  if (pattern.size() == 0) return true;
  return pattern.row(row).segment(first(row), tokens(row)).minCoeff() > 0;
}

bool Head::has_weights(Eigen::Index row) const {
  if (pattern.size() == 0) return true;
  return pattern.row(row).segment(first(row), tokens(row)).maxCoeff() > 0;
}

Rows scores_of(const Rows& pattern, double temperature) {
  return pattern.unaryExpr([=](double p) { return temperature * reproducible::log(p); });
}

Head without_first_token(const Head& head) {
  const Eigen::Index rest = head.positions() - 1;
  Head without{.layer = head.layer,
               .head = head.head,
               .temperature = head.temperature,
               .x = head.x.bottomRows(rest),
               .mask = head.mask,
               .pattern_temperature = head.pattern_temperature};
  if (head.has_queries()) {
    without.q = head.q.bottomRows(rest);
    without.k = head.k.bottomRows(rest);
  } else {
    without.scores = head.scores.bottomRightCorner(rest, rest);
  }
  if (head.pattern.size() > 0) without.pattern = head.pattern.bottomRightCorner(rest, rest);
  return without;
}

Head cut_to_own_token(const Head& head) {
  Head cut = head;
  cut.mask = {};
  for (Eigen::Index row = 0; row < cut.pattern.rows(); ++row) {
    const double sum = cut.pattern.row(row).head(row + 1).sum();
    if (sum > 0) cut.pattern.row(row) /= sum;
  }
  if (cut.pattern.size() > 0) cut.scores = scores_of(cut.pattern, cut.pattern_temperature);
  return cut;
}

Rows raw_logits(const Head& head) {
  return head.has_queries() ? times_transposed(head.q, head.k) : head.scores;
}

Eigen::VectorXd raw_logits(const Head& head, Eigen::Index row) {
  const Eigen::Index first = head.first(row), tokens = head.tokens(row);
  if (!head.has_queries()) return head.scores.row(row).segment(first, tokens);
  return head.k.middleRows(first, tokens) * head.q.row(row).transpose();
}

void softmax(std::span<const double> logits, double temperature, std::span<double> weights) {
  const double top = *std::ranges::max_element(logits);
  double sum = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    weights[i] = reproducible::exp((logits[i] - top) / temperature);
    sum += weights[i];
  }
  for (double& weight : weights) weight /= sum;
}

}  // namespace attn::gpt2
