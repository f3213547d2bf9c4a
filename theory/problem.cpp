#include "theory/problem.hpp"

#include <algorithm>
#include <numeric>

#include "theory/expectation.hpp"

namespace attn {
namespace {

/// A number that orders the tokens as their weights do, exactly. exp, the sigmoid and the softplus
/// increase, so that the logits themselves will do; the Taylor polynomial falls below z = -1.
std::vector<Rational> order_keys(const Case& input) {
  if (input.logits.empty()) return input.weights;
  if (input.normalizer != Normalizer::taylor) return input.logits;
  std::vector<Rational> keys;
  keys.reserve(input.logits.size());
  for (const Rational& logit : input.logits) {
    const Rational z = logit / input.temperature;
    keys.emplace_back(z + z * z / 2);
  }
  return keys;
}

}  // namespace

const std::vector<std::size_t>& Problem::order() const {
  if (order_.empty()) {
    const std::vector<Rational> keys = order_keys(input_);
    order_.resize(keys.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return keys[a] > keys[b]; });
  }
  return order_;
}

bool Problem::top_tied() const {
  const std::vector<Rational> keys = order_keys(input_);
  return keys.size() > 1 && keys[order()[0]] == keys[order()[1]];
}

const std::vector<std::size_t>& Problem::selected() const {
  split();
  return selected_;
}

const std::vector<std::size_t>& Problem::others() const {
  split();
  return others_;
}

void Problem::split() const {
  if (!selected_.empty()) return;
  if (input_.top_n) {
    const auto middle = order().begin() + static_cast<std::ptrdiff_t>(*input_.top_n);
    selected_.assign(order().begin(), middle);
  } else {
    selected_ = input_.set;
  }
  std::vector<bool> taken(input_.tokens());
  for (const std::size_t i : selected_) taken[i] = true;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (!taken[i]) others_.push_back(i);
  }
}

const Rational& Problem::expected_share() const {
  if (!expected_share_) {
    std::vector<Rational> radii;
    for (const std::size_t i : selected()) {
      radii.emplace_back(*input_.sphere_radius * input_.weights[i]);
    }
    expected_share_ = expected_distinguishable_share(radii, *input_.r, *input_.dimension);
  }
  return *expected_share_;
}

}  // namespace attn
