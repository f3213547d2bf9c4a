#include "gpt2_check/heads/head.hpp"

#include <algorithm>
#include <cmath>

#include "gpt2_check/heads/matrix.hpp"

namespace attn::gpt2 {

Head without_first_token(const Head& head) {
  const Eigen::Index rest = head.positions() - 1;
  return {.layer = head.layer,
          .head = head.head,
          .temperature = head.temperature,
          .q = head.q.bottomRows(rest),
          .k = head.k.bottomRows(rest),
          .x = head.x.bottomRows(rest)};
}

Rows raw_logits(const Head& head) {
  return times_transposed(head.q, head.k);
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
