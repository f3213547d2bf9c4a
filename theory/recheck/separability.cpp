#include "theory/recheck/tokens.hpp"

namespace attn::recheck {
namespace {

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
