#include "gpt2_check/heads/head.hpp"

#include <algorithm>
#include <cmath>

#include "gpt2_check/heads/matrix.hpp"

namespace attn::gpt2 {

Head without_first_token(const Head& head) {
  const Eigen::Index rest = head.positions() - 1;
  Head without{.layer = head.layer,
               .head = head.head,
               .temperature = head.temperature,
               .x = head.x.bottomRows(rest)};
  if (head.has_queries()) {
    without.q = head.q.bottomRows(rest);
    without.k = head.k.bottomRows(rest);
  } else {
    without.scores = head.scores.bottomRightCorner(rest, rest);
  }
  return without;
}

Rows raw_logits(const Head& head) {
  return head.has_queries() ? times_transposed(head.q, head.k) : head.scores;
}

Eigen::VectorXd raw_logits(const Head& head, Eigen::Index row) {
  if (!head.has_queries()) return head.scores.row(row).head(row + 1);
  return head.k.topRows(row + 1) * head.q.row(row).transpose();
}

void softmax(std::span<const double> logits, double temperature, std::span<double> weights) {
  const double top = *std::ranges::max_element(logits);
  double sum = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    weights[i] = std::exp((logits[i] - top) / temperature);
    sum += weights[i];
  }
  for (double& weight : weights) weight /= sum;
}

}  // namespace attn::gpt2
