#include "theory/recheck/nearness.hpp"

namespace attn::recheck {
namespace {

/// y_i - s, coordinate by coordinate, in terms of the weights.
Forms offset_of(const FixedSet& t, std::size_t i) {
  Forms offset = t.s;
  for (Form& coordinate : offset) {
    for (auto& [kind, coefficient] : coordinate) coefficient = -coefficient;
  }
  t.add(offset, i, 1);
  return offset;
}

/// The squared length over the square of the one kind of weight that there is.
Rational exact_square(const Forms& offset) {
  Rational sum = 0;
  for (const Form& coordinate : offset) {
    for (const auto& [kind, coefficient] : coordinate) sum += coefficient * coefficient;
  }
  return sum;
}

Arb square_of(const FixedSet& t, const Forms& offset) {
  Arb sum;
  for (const Form& coordinate : offset) sum += square(t.scores.value(coordinate));
  return sum;
}

}  // namespace

Nearness::Nearness(const FixedSet& t) : one_kind_(t.scores.basis.size() == 1) {
  for (std::size_t i = 0; i < t.x.size(); ++i) {
    offsets_.push_back(offset_of(t, i));
    if (one_kind_) {
      exact_.push_back(exact_square(offsets_.back()));
    } else {
      squares_.push_back(square_of(t, offsets_.back()));
    }
  }
}

int Nearness::operator()(std::size_t i, std::size_t j) const {
  if (one_kind_) return (exact_[i] > exact_[j]) - (exact_[i] < exact_[j]);
  if (offsets_[i] == offsets_[j]) return 0;
  if (squares_[i] < squares_[j]) return -1;
  return squares_[j] < squares_[i] ? 1 : 2;
}

}  // namespace attn::recheck
