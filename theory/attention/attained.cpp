#include "theory/attention/attained.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "theory/attention/known_weights.hpp"
#include "theory/attention/output.hpp"
#include "theory/attention/selected_line.hpp"
#include "theory/number/interval.hpp"
#include "theory/number/rationals.hpp"
#include "theory/number/sums.hpp"

namespace attn {
namespace {

/// Whether all a_i x_i are known to be equal.
bool has_equal_contributions(const CaseContext& context) {
  const auto& x = context.embeddings();
  const bool equal_vectors = shared_embedding(context, context.score_order()) != nullptr;
  if (equal_vectors && !context.has_weights() && all_logits_equal(context)) return true;
  const auto a = rational_weights(context);
  if (!a) return false;
  for (std::size_t i = 1; i < x.size(); ++i) {
    for (std::size_t k = 0; k < x[i].size(); ++k) {
      if ((*a)[i] * x[i][k] != a->front() * x.front()[k]) return false;
    }
  }
  return true;
}

/// The tokens among `tokens` of which a_i x_i is not 0; nothing but where all a_i >= 0 and which of
/// them are 0 is known.
std::optional<std::vector<std::size_t>> contributing(const CaseContext& context,
                                                     std::vector<std::size_t> tokens) {
  const std::vector<bool> has_weight = known_support(context);
  if (has_weight.empty()) return std::nullopt;
  std::erase_if(tokens,
                [&](std::size_t i) { return !has_weight[i] || is_zero(context.embeddings()[i]); });
  return tokens;
}

/// The sign of t where u = t v; 0 where there is none. Neither is 0.
int heading(const std::vector<Rational>& u, const std::vector<Rational>& v) {
  const std::size_t pivot = pivot_of(v);
  return is_along(u, v, pivot) ? u[pivot].sign() * v[pivot].sign() : 0;
}

/// Where all a_i x_i are known to lie on one line through 0: a coordinate in which none is 0 but 0
/// itself.
std::optional<std::size_t> coordinate_of_line(const CaseContext& context, const KnownWeights& a) {
  const std::vector<Rational>* first = nullptr;
  std::size_t pivot = 0;
  for (std::size_t i = 0; i < context.tokens(); ++i) {
    const auto& x = context.embeddings()[i];
    if (a.share[i] == 0 || is_zero(x)) continue;
    if (first == nullptr) {
      first = &x;
      pivot = pivot_of(x);
    } else if (!is_along(x, *first, pivot)) {
      return std::nullopt;
    }
  }
  return pivot;
}

/// y_i - s of the tokens outside, y_i = a_i x_i, by one coordinate; nothing where the y_i are not
/// known to lie on one line through 0.
std::optional<std::vector<Form>> offsets_on_line(const CaseContext& context,
                                                 const KnownWeights& a) {
  const auto coordinate = coordinate_of_line(context, a);
  if (!coordinate) return std::nullopt;
  const auto& x = context.embeddings();
  Form s(a.kinds());
  for (const std::size_t j : context.selected()) {
    s[a.kind[j]] += a.share[j] * x[j][*coordinate];
  }
  std::vector<Form> offsets;
  for (const std::size_t i : context.others()) {
    offsets.push_back(difference(a.times_weight(i, x[i][*coordinate]), s));
  }
  return offsets;
}

/// The y_i = a_i x_i by one coordinate, the largest first; nothing where they are not known to lie
/// on one line through 0, or in which order.
std::optional<std::vector<Form>> ordered_on_line(const CaseContext& context,
                                                 const KnownWeights& a) {
  const auto coordinate = coordinate_of_line(context, a);
  if (!coordinate) return std::nullopt;
  std::vector<Form> ordered;
  for (std::size_t i = 0; i < context.tokens(); ++i) {
    Form y = a.times_weight(i, context.embeddings()[i][*coordinate]);
    auto place = ordered.begin();
    for (; place != ordered.end(); ++place) {
      const auto sign = a.sign(difference(y, *place));
      if (!sign) return std::nullopt;
      if (*sign > 0) break;
    }
    ordered.insert(place, std::move(y));
  }
  return ordered;
}

/// The sum of the first `count` forms but the one at `without`.
Form sum_of_first(const std::vector<Form>& forms, std::size_t count, std::size_t without) {
  Form sum(forms.front().size());
  for (std::size_t i = 0; count > 0; ++i) {
    if (i == without) continue;
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += forms[i][k];
    --count;
  }
  return sum;
}

/// Whether the y_i are known to lie on one line through 0, and every y_i - s to point one way for
/// all sets of N tokens that i is not in: no s is above y_i, or none is below it.
bool keep_their_sides(const CaseContext& context) {
  const KnownWeights a(context);
  auto ordered = ordered_on_line(context, a);
  if (!ordered) return false;
  const std::size_t count = context.top_n();
  std::vector<bool> keeps(ordered->size());
  for (const int side : {1, -1}) {
    for (std::size_t i = 0; i < ordered->size(); ++i) {
      const Form ahead = difference((*ordered)[i], sum_of_first(*ordered, count, i));
      if (a.sign(times(side, ahead)) >= 0) keeps[side > 0 ? i : ordered->size() - 1 - i] = true;
    }
    std::ranges::reverse(*ordered);
  }
  return std::ranges::all_of(keeps, std::identity{});
}

template <class Test>
bool all_outside(const CaseContext& context, Test test) {
  return std::ranges::all_of(context.others(), test);
}

/// The tokens of some weight among those given. `has_weight`: of all tokens.
std::vector<std::size_t> weighted(std::vector<std::size_t> tokens,
                                  const std::vector<bool>& has_weight) {
  std::erase_if(tokens, [&](std::size_t i) { return !has_weight[i]; });
  return tokens;
}

/// Where the tokens of some weight are, of those outside and of those selected.
struct TwoPlaces {
  bool nothing_outside{false};             ///< no token outside has weight
  const std::vector<Rational>* outside{};  ///< the x of all of them; null where they differ
  const std::vector<Rational>* selected{};

  explicit TwoPlaces(const CaseContext& context) {
    const std::vector<bool> has_weight = known_support(context);
    if (has_weight.empty()) return;
    const auto others = weighted(context.others(), has_weight);
    const auto kept = weighted(context.selected(), has_weight);
    nothing_outside = others.empty();
    if (!others.empty()) outside = shared_embedding(context, others);
    if (!kept.empty()) selected = shared_embedding(context, kept);
  }
};

}  // namespace

// a_i x_i - s = a_i (x_i - c) - (A - a_i) c: the length is the difference of the two where the
// first vector is t times the second, 0 <= t <= 1, which says that x_i lies on the ray from c away
// from 0, and a_i x_i no further than s.
bool attains_centred_lower(const CaseContext& context) {
  const SelectedLine line(context);
  return all_outside(context, [&](std::size_t i) {
    return line.is_weightless(i) || line.is_centre(i) ||
           (line.beyond_centre(i) >= 0 && line.adds_no_more(i));
  });
}

// And it is their sum where one is 0 or they point opposite ways.
bool attains_centred_upper(const CaseContext& context) {
  const SelectedLine line(context);
  if (line.is_origin()) return true;
  return all_outside(context, [&](std::size_t i) {
    if (line.is_weightless(i) || line.is_centre(i)) return true;
    const auto lead = line.lead(i);
    const auto beyond = line.beyond_centre(i);
    return lead == 0 || (lead && beyond && *lead * *beyond <= 0);
  });
}

// ||a_i x_i - s|| - ||s|| is a_i ||x_i|| where a_i x_i points away from s, and minus that where it
// points as s does and is no longer.
bool attains_linear(const CaseContext& context) {
  const SelectedLine line(context);
  if (line.is_origin()) return true;
  return all_outside(context,
                     [&](std::size_t i) { return line.adds_nothing(i) || line.is_behind(i); }) ||
         all_outside(context, [&](std::size_t i) {
           return line.adds_nothing(i) || (line.is_ahead(i) && line.adds_no_more(i));
         });
}

// Lengths add up to that of the sum where all vectors point one way, as where all of them are -s.
bool attains_net(const CaseContext& context) {
  if (context.others().size() == 1) return true;
  const auto adding = contributing(context, context.others());
  if (adding && adding->empty()) return true;
  const KnownWeights a(context);
  const auto offsets = offsets_on_line(context, a);
  const auto all_on_side = [&](int side) {
    return std::ranges::all_of(
        *offsets, [&](const Form& offset) { return a.sign(times(side, offset)) >= 0; });
  };
  return offsets && (all_on_side(1) || all_on_side(-1));
}

// Of the longest y_i alone; the others are no farther off the sphere than they are long.
bool attains_radius(const CaseContext& context) {
  const SelectedLine line(context);
  if (line.is_origin()) return true;
  std::vector<std::size_t> met = context.others();
  std::erase_if(met, [&](std::size_t i) {
    return !line.adds_nothing(i) && !line.is_behind(i) &&
           !(line.is_ahead(i) && line.adds_no_more(i));
  });
  if (met.empty()) return false;
  const std::vector<Interval> a = attention_weights<Interval>(context);
  std::vector<Rational> of_x;  // ||x_i||^2
  std::vector<Interval> of_y;  // ||y_i||^2
  for (std::size_t i = 0; i < a.size(); ++i) {
    of_x.push_back(squared_norm(context.embeddings()[i]));
    of_y.push_back(square(a[i]) * from<Interval>(of_x.back()));
  }
  return std::ranges::any_of(met, [&](std::size_t i) {
    return all_outside(context, [&](std::size_t j) {
      return line.adds_nothing(j) || certainly_less(of_y[j], of_y[i]) ||
             (line.is_as_heavy_as(i, j) && of_x[j] <= of_x[i]);
    });
  });
}

// ||y_i - y_k|| = D_i + D_k where s lies between: no more than two of them are off s, on either
// side.
bool attains_spread(const CaseContext& context) {
  const KnownWeights a(context);
  const auto offsets = offsets_on_line(context, a);
  if (!offsets) return false;
  std::size_t below = 0;
  std::size_t above = 0;
  for (const Form& offset : *offsets) {
    const auto sign = a.sign(offset);
    if (!sign) return false;
    below += *sign < 0 ? 1 : 0;
    above += *sign > 0 ? 1 : 0;
  }
  return below <= 1 && above <= 1;
}

bool attains_deletion(const CaseContext& context) {
  const auto tokens = contributing(context, context.others());
  const auto& x = context.embeddings();
  return tokens && std::ranges::all_of(*tokens, [&](std::size_t i) {
           return heading(x[i], x[tokens->front()]) > 0;
         });
}

bool attains_deletion_mass(const CaseContext& context) {
  const TwoPlaces places(context);
  if (places.nothing_outside) return true;
  return places.outside != nullptr && all_outside(context, [&](std::size_t i) {
           return squared_norm(context.embeddings()[i]) <= squared_norm(*places.outside);
         });
}

// The lengths add up where each x_i - c is one vector, and each is d1 where c is one x_j.
bool attains_renormalised(const CaseContext& context) {
  const TwoPlaces places(context);
  if (places.nothing_outside) return true;
  if (places.outside == nullptr || places.selected == nullptr) return false;
  const Rational apart = squared_distance(*places.outside, *places.selected);
  const auto& x = context.embeddings();
  return all_outside(context, [&](std::size_t i) {
    return std::ranges::all_of(
        context.selected(), [&](std::size_t j) { return squared_distance(x[i], x[j]) <= apart; });
  });
}

// s'/A' = s/A where x of the next token is s/A already.
bool keeps_the_centre(const CaseContext& context) {
  const SelectedLine line(context);
  const std::size_t next = context.order()[context.top_n()];
  return line.is_weightless(next) || line.is_centre(next);
}

// Each of the two inequalities of Cauchy and Schwarz is an equality where the vectors that it sums
// are one.
bool attains_renormalised_variance(const CaseContext& context) {
  const TwoPlaces places(context);
  return places.nothing_outside || (places.outside != nullptr && places.selected != nullptr);
}

bool loses_the_same(const CaseContext& context) {
  const TwoPlaces places(context);
  if (places.nothing_outside || SelectedLine(context).is_origin()) return true;
  return places.outside != nullptr && places.selected != nullptr &&
         squared_distance(*places.outside, *places.selected) == squared_norm(*places.outside);
}

bool attains_random(const CaseContext& context) {
  return context.top_n() + 1 == context.tokens() || has_equal_contributions(context);
}

// ||m_i|| is the mean of ||y_i - s|| where all y_i - s of i point one way. So they do of a y that
// is alone: y_i - s is y for i its own token, and 0 or -y for any other.
bool attains_random_lower(const CaseContext& context) {
  if (attains_random(context)) return true;
  const auto tokens = contributing(context, context.score_order());
  return (tokens && tokens->size() <= 1) || keep_their_sides(context);
}

// ||y_i - s|| is ||y_i|| + sum_{j in I} ||y_j|| where of all these vectors one is not 0; or where
// two are, i is one of them and the other points the opposite way, as for every set of one token.
bool attains_full_set(const CaseContext& context) {
  const auto tokens = contributing(context, context.score_order());
  if (!tokens) return false;
  if (tokens->size() <= 1) return true;
  if (tokens->size() > 2 || context.top_n() != 1) return false;
  const auto& x = context.embeddings();
  return heading(x[tokens->front()], x[tokens->back()]) < 0;
}

// E = 0 where N = 1 and all y_i are equal.
bool attains_contributions(const CaseContext& context) {
  return attains_full_set(context) || (context.top_n() == 1 && has_equal_contributions(context));
}

}  // namespace attn
