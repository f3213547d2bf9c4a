#include "theory/attention/case_context.hpp"

#include <fmt/format.h>

#include <ranges>
#include <stdexcept>

#include "theory/attention/expectation.hpp"
#include "theory/attention/random_set.hpp"
#include "theory/attention/weights.hpp"
#include "theory/number/exact/tables.hpp"
#include "theory/number/rationals.hpp"

namespace attn {

CaseContext::CaseContext(const Case& input) : input_(input), normalizer_(normalizer_of(input)) {}

void CaseContext::refuse(const Field& field) const {
  throw std::logic_error(fmt::format("a {} has no {}", name_of(input_.kind), field.name));
}

const std::vector<Rational>& CaseContext::logits() const {
  if (!input_.logits.empty() || has_field(input_.kind, case_field::logits)) return input_.logits;
  if (logits_.empty()) {
    for (const auto& key : given(input_.keys, case_field::logits)) {
      logits_.push_back(dot(key, query()));
    }
  }
  return logits_;
}

std::vector<Rational> CaseContext::scaled_logits() const {
  std::vector<Rational> z = logits();
  for (Rational& value : z) value /= temperature();
  return z;
}

const std::vector<Rational>& CaseContext::scores() const {
  return has_weights() ? weights() : logits();
}

const std::vector<std::size_t>& CaseContext::score_order() const {
  if (score_order_.empty()) score_order_ = falling_order(scores());
  return score_order_;
}

/// A number that orders the tokens as their weights do, exactly. exp, the sigmoid and the softplus
/// increase, so that the logits themselves will do; the Taylor polynomial falls below z = -1, and
/// tokens outside a support are tied at zero.
const std::vector<Rational>& CaseContext::order_keys() const {
  if (has_weights()) return scores();
  const auto& l = logits();
  switch (normalizer()) {
    case Normalizer::taylor:
      if (order_keys_.empty()) {
        order_keys_ = scaled_logits();
        for (Rational& z : order_keys_) z += z * z / 2;
      }
      return order_keys_;
    case Normalizer::sparsemax:
    case Normalizer::entmax:
      if (order_keys_.empty()) {
        order_keys_.assign(l.size(), l[support().tokens.back()] - 1);
        for (const std::size_t i : support().tokens) order_keys_[i] = l[i];
      }
      return order_keys_;
    case Normalizer::softmax:
    case Normalizer::sigmoid:
    case Normalizer::softplus:
    case Normalizer::scalable_softmax:
    case Normalizer::self_adjusted:
    case Normalizer::softmax1:
    case Normalizer::sigmoid_attention:
    case Normalizer::relu_attention:
    case Normalizer::pooling:
    case Normalizer::polynomial:
      return l;
  }
  throw std::logic_error("a normaliser without an order");
}

const std::vector<std::size_t>& CaseContext::order() const {
  if (order_.empty()) {
    const std::vector<Rational>& keys = order_keys();
    order_ = &keys == &scores() ? score_order() : falling_order(keys);
  }
  return order_;
}

std::size_t CaseContext::largest() const {
  if (!order_.empty()) return order_.front();
  const std::vector<Rational>& keys = order_keys();
  return static_cast<std::size_t>(std::ranges::max_element(keys) - keys.begin());
}

std::size_t CaseContext::least() const {
  if (!order_.empty()) return order_.back();
  const std::vector<Rational>& keys = order_keys();
  // The last of those that are tied.
  const auto from_the_end = std::ranges::min_element(std::views::reverse(keys));
  return static_cast<std::size_t>(from_the_end.base() - keys.begin()) - 1;
}

bool CaseContext::top_tied() const {
  const std::vector<Rational>& keys = order_keys();
  return keys.size() > 1 && keys[order()[0]] == keys[order()[1]];
}

bool CaseContext::others_tied() const {
  const std::vector<Rational>& keys = order_keys();
  return keys[order().at(1)] == keys[order().back()];
}

const std::vector<std::size_t>& CaseContext::selected() const {
  split();
  return selected_;
}

const std::vector<std::size_t>& CaseContext::others() const {
  split();
  return others_;
}

void CaseContext::split() const {
  if (!selected_.empty()) return;
  if (input_.top_n > 0) {
    const auto middle = order().begin() + static_cast<std::ptrdiff_t>(input_.top_n);
    selected_.assign(order().begin(), middle);
  } else {
    selected_ = given(input_.set, case_field::set);
  }
  std::vector<bool> taken(tokens());
  for (const std::size_t i : selected_) taken[i] = true;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (!taken[i]) others_.push_back(i);
  }
}

const Support& CaseContext::support() const {
  if (!support_) {
    support_ = normalizer() == Normalizer::sparsemax ? sparsemax_support(scaled_logits())
                                                     : entmax_support(scaled_logits());
  }
  return *support_;
}

const std::optional<Rational>& CaseContext::settled_share() const {
  if (!settled_share_) {
    const Rational closest = delta() / sphere_radius();
    settled_share_ = dimension() == 1
                         ? std::optional<Rational>{}
                         : attn::settled_share(selected_radii(), r(), closest * closest);
  }
  return *settled_share_;
}

bool CaseContext::share_is_exact() const {
  return dimension() == 1 || dimension() == 3 || settled_share();
}

const Rational& CaseContext::expected_share() const {
  if (!expected_share_) {
    const auto& settled = settled_share();
    expected_share_ =
        settled ? *settled : expected_distinguishable_share(selected_radii(), r(), dimension());
  }
  return *expected_share_;
}

std::vector<Rational> CaseContext::selected_radii() const {
  std::vector<Rational> radii;
  for (const std::size_t i : selected()) radii.emplace_back(sphere_radius() * weights()[i]);
  return radii;
}

const ConfidenceInterval& CaseContext::sampled_share() const {
  if (!sampled_share_) {
    std::vector<ErrorDouble> radii;
    for (const std::size_t i : selected()) {
      radii.push_back(from<ErrorDouble>(Rational(sphere_radius() * weights()[i])));
    }
    sampled_share_.emplace(radii, from<ErrorDouble>(r()), dimension());
  }
  return sampled_share_->interval();
}

const ConfidenceInterval& CaseContext::sampled_distance() const {
  if (!sampled_distance_) {
    const auto y =
        contributions_of(attention_weights<ErrorDouble>(*this), embeddings_of<ErrorDouble>(*this));
    sampled_distance_.emplace(std::make_shared<Contributions>(y), top_n());
  }
  return sampled_distance_->interval();
}

symbolic::Tables& CaseContext::tables() const {
  if (!tables_) tables_ = std::make_shared<symbolic::Tables>();
  return *tables_;
}

bool CaseContext::draw_more() const {
  if (sampled()) found_.clear();  // what was made of fewer draws
  const bool more_of_share = sampled_share_ && sampled_share_->draw_more();
  const bool more_of_distance = sampled_distance_ && sampled_distance_->draw_more();
  return more_of_share || more_of_distance;
}

}  // namespace attn
