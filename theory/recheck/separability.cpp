#include "theory/recheck/tokens.hpp"

namespace attn::recheck {
namespace {

using Forms = std::vector<Form>;

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

/// -1, 0 or 1 as token i is certainly nearer to s than j, as near, or further; 2 where that cannot
/// be told.
class Nearness {
 public:
  explicit Nearness(const FixedSet& t) : one_kind_(t.scores.basis.size() == 1) {
    for (std::size_t i = 0; i < t.x.size(); ++i) {
      offsets_.push_back(offset_of(t, i));
      if (one_kind_) {
        exact_.push_back(exact_square(offsets_.back()));
      } else {
        squares_.push_back(square_of(t, offsets_.back()));
      }
    }
  }

  [[nodiscard]] int operator()(std::size_t i, std::size_t j) const {
    if (one_kind_) return cmp(exact_[i], exact_[j]);
    if (offsets_[i] == offsets_[j]) return 0;
    if (squares_[i] < squares_[j]) return -1;
    return squares_[j] < squares_[i] ? 1 : 2;
  }

 private:
  bool one_kind_;
  std::vector<Forms> offsets_;
  std::vector<Rational> exact_;
  std::vector<Arb> squares_;
};

/// N_s/N of the case's set: the share of the selected y_i = a_i x_i that are no further from s than
/// every y_j outside.
Arb share_within_nearest(const Input& input) {
  const FixedSet t(input);
  const Nearness nearness(t);
  long least = 0;
  long most = 0;
  for (const std::size_t i : t.inside) {
    bool further = false;
    bool open = false;
    for (const std::size_t j : t.outside) {
      const int order = nearness(i, j);
      further = further || order == 1;
      open = open || order == 2;
    }
    if (further) continue;
    ++most;
    if (!open) ++least;
  }
  const Arb all(static_cast<long>(t.inside.size()));
  return least == most ? Arb(least) / all : hull(Arb(least) / all, Arb(most) / all);
}

/// More than 16 selected tokens, of weights of sum 1.
std::string many_selected(const Input& input) {
  if (std::string unmet = no_distribution(input); !unmet.empty()) return unmet;
  return FixedSet(input).inside.size() > 16 ? "" : "N > 16";
}

Sides separability_share_upper(const Input& input) {
  return {share_within_nearest(input), Arb(Rational(17, 20))};
}

Sides separability_share_lower(const Input& input) {
  return {Arb(Rational(7, 10)), share_within_nearest(input)};
}

}  // namespace

Checks separability_checks() {
  return {
      {"separability.share.upper", {.sides = &separability_share_upper, .unmet = &many_selected}},
      {"separability.share.lower", {.sides = &separability_share_lower, .unmet = &many_selected}},
  };
}

}  // namespace attn::recheck
