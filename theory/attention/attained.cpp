#include "theory/attention/attained.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "theory/attention/known_weights.hpp"
#include "theory/attention/output.hpp"
#include "theory/number/interval.hpp"
#include "theory/number/rationals.hpp"
#include "theory/number/sums.hpp"

namespace attn {
namespace {

/// The line from 0 through s, and where on it tokens are: x_i = t s.
class SelectedLine {
 public:
  explicit SelectedLine(const CaseContext& context)
      : x_(context.embeddings()),
        a_(context),
        mass_(a_.weight.size()),
        s_(x_.front().size(), Form(a_.weight.size())) {
    for (const std::size_t j : context.selected()) {
      mass_[a_.kind[j]] += a_.share[j];
      for (std::size_t k = 0; k < s_.size(); ++k) s_[k][a_.kind[j]] += x_[j][k] * a_.share[j];
    }
    for (std::size_t k = 0; k < s_.size() && !pivot_; ++k) {
      if (const auto sign = a_.sign(s_[k]); sign && *sign != 0) pivot_ = Pivot{k, *sign};
    }
  }

  /// a_i x_i = 0.
  [[nodiscard]] bool adds_nothing(std::size_t i) const {
    return is_weightless(i) || is_zero(x_[i]);
  }
  [[nodiscard]] bool is_weightless(std::size_t i) const { return a_.share[i] == 0; }
  /// s = 0.
  [[nodiscard]] bool is_origin() const { return std::ranges::all_of(s_, is_zero); }
  /// x_i = c.
  [[nodiscard]] bool is_centre(std::size_t i) const {
    for (std::size_t k = 0; k < s_.size(); ++k) {
      if (!is_zero(difference(times(x_[i][k], mass_), s_[k]))) return false;
    }
    return true;
  }
  /// a_i = a_j, where that is known.
  [[nodiscard]] bool is_as_heavy_as(std::size_t i, std::size_t j) const {
    return a_.kind[i] == a_.kind[j] && a_.share[i] == a_.share[j];
  }
  /// The sign of A - a_i; nothing where it is not known.
  [[nodiscard]] std::optional<int> lead(std::size_t i) const {
    return a_.sign(difference(mass_, a_.times_weight(i, 1)));
  }

  // Where t is; false, or nothing, of a token off the line, and where s = 0.
  [[nodiscard]] bool is_behind(std::size_t i) const {  ///< t <= 0
    return is_on_line(i) && along(i) <= 0;
  }
  [[nodiscard]] bool is_ahead(std::size_t i) const {  ///< t >= 0
    return is_on_line(i) && along(i) >= 0;
  }
  /// The sign of t - 1/A; nothing where it is not known.
  [[nodiscard]] std::optional<int> beyond_centre(std::size_t i) const {
    if (!is_on_line(i)) return std::nullopt;
    const std::size_t k = pivot_->coordinate;
    return a_.sign(times(pivot_->sign, difference(times(x_[i][k], mass_), s_[k])));
  }
  /// a_i t <= 1: a_i x_i is no further than s.
  [[nodiscard]] bool adds_no_more(std::size_t i) const {
    if (!is_on_line(i)) return false;
    const Form y = a_.times_weight(i, x_[i][pivot_->coordinate]);
    return a_.sign(times(pivot_->sign, difference(s_[pivot_->coordinate], y))) >= 0;
  }

 private:
  /// A coordinate in which s is certainly not 0.
  struct Pivot {
    std::size_t coordinate;
    int sign;  ///< the sign of s in this coordinate
  };

  [[nodiscard]] bool is_on_line(std::size_t i) const {
    if (!pivot_) return false;
    for (std::size_t k = 0; k < s_.size(); ++k) {
      const Form across = difference(times(x_[i][k], s_[pivot_->coordinate]),
                                     times(x_[i][pivot_->coordinate], s_[k]));
      if (!is_zero(across)) return false;
    }
    return true;
  }
  /// A number of the sign of t, where x_i is on the line.
  [[nodiscard]] Rational along(std::size_t i) const {
    return pivot_->sign * x_[i][pivot_->coordinate];
  }

  const std::vector<std::vector<Rational>>& x_;
  KnownWeights a_;
  Form mass_;            ///< A
  std::vector<Form> s_;  ///< [d]
  std::optional<Pivot> pivot_;
};

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
  Form s(a.weight.size());
  for (const std::size_t j : context.selected()) {
    s[a.kind[j]] += a.share[j] * x[j][*coordinate];
  }
  std::vector<Form> offsets;
  for (const std::size_t i : context.others()) {
    offsets.push_back(difference(a.times_weight(i, x[i][*coordinate]), s));
  }
  return offsets;
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
  const std::vector<Interval> a = attention_weights<Interval>(context);
  const auto& x = context.embeddings();
  const auto squared_length = [&](std::size_t i) {
    return square(a[i]) * from<Interval>(squared_norm(x[i]));
  };
  const auto is_longest = [&](std::size_t i) {
    return all_outside(context, [&](std::size_t j) {
      return line.adds_nothing(j) || certainly_less(squared_length(j), squared_length(i)) ||
             (line.is_as_heavy_as(i, j) && squared_norm(x[j]) <= squared_norm(x[i]));
    });
  };
  return std::ranges::any_of(context.others(), [&](std::size_t i) {
    const bool is_met =
        line.adds_nothing(i) || line.is_behind(i) || (line.is_ahead(i) && line.adds_no_more(i));
    return is_met && is_longest(i);
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

// Of a y that is alone, y_i - s is y for i its own token, and 0 or -y for any other.
bool attains_random_lower(const CaseContext& context) {
  if (attains_random(context)) return true;
  const auto tokens = contributing(context, context.score_order());
  return tokens && tokens->size() <= 1;
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
