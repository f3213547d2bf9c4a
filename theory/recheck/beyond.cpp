#include <fmt/format.h>

#include <algorithm>

#include "theory/recheck/jacobian.hpp"
#include "theory/recheck/tokens.hpp"

namespace attn::recheck {
namespace {

/// Row by row, entry by entry.
Sides softmax_row_sums(const SoftmaxGradient& s) {
  std::vector<Arb> rows = s.diagonal();
  for (std::size_t i = 0; i < s.a.size(); ++i) {
    for (std::size_t j = 0; j < s.a.size(); ++j) {
      if (j != i) rows[i] += s.a[i] * s.a[j];
    }
  }
  return {largest(rows) / s.t, Arb(1) / (Arb(2) * s.t)};
}

/// x^(1/p), x > 0.
Arb root_of(const Arb& x, std::size_t p) {
  return p == 1 ? x : exp(log(x) / Arb(p));
}

/// (sum |v_i|^p)^(1/p) of vectors of which not all entries are 0: of exact ones, and of others.
Arb power_norm(const std::vector<Rational>& v, std::size_t p) {
  const Rational most = largest_size(v);
  Rational sum;
  for (const Rational& x : v) {
    const Rational share = ::abs(x) / most;
    Rational power = 1;
    for (std::size_t k = 0; k < p; ++k) power *= share;
    sum += power;
  }
  return Arb(most) * root_of(Arb(sum), p);
}

Arb power_norm(const std::vector<Arb>& v, std::size_t p) {
  if (v.size() == 2) return abs(v[0]) * root_of(Arb(2), p);  // of sum 0
  Arb sum;
  for (const Arb& x : v) {
    Arb power = 1;
    for (std::size_t k = 0; k < p; ++k) power *= abs(x);
    sum += power;
  }
  return root_of(sum, p);
}

/// Pair by pair: (T J v)_i is the sum of a_i a_j (v_i - v_j).
Sides softmax_lp(const Input& input) {
  require_normalizer(input, "softmax");
  const std::vector<Rational> v = input.move("step");
  const std::size_t p = input.count("p");
  constexpr std::size_t kMostPower = 64;
  require(p <= kMostPower, BadInputKind::out_of_range, "p", fmt::format("1..{}", kMostPower),
          fmt::format("{}", p));
  const Arb t(input.temperature());
  const Scores scores = softmax_scores(input.scaled_logits());
  std::vector<Arb> moved(v.size());
  bool is_still = true;
  for (std::size_t i = 0; i < v.size(); ++i) {
    for (std::size_t j = 0; j < v.size(); ++j) {
      moved[i] += scores.a[i] * scores.a[j] * Arb(v[i] - v[j]);
    }
    is_still = is_still && v[i] == v[0];
  }
  const SoftmaxGradient s(input);
  const Arb left = is_still ? Arb(0) : power_norm(moved, p) / t;
  return {left, Arb(2) * largest(s.diagonal()) * power_norm(v, p) / t};
}

Arb entropy_at(const Input& input, const Rational& t) {
  return entropy_of(softmax_scores(input.logits_over(t)).sorted());
}

/// H at T', and at T.
Sides softmax_entropy(const Input& input) {
  return {entropy_at(input, input.positive("colder")), entropy_at(input, input.temperature())};
}

/// Pair by pair: both weights add up to 1, so that b_i - a_i is the sum of a_j b_i - a_i b_j over
/// j, and <b - a, h> that of (a_j b_i - a_i b_j) (h_i - h_j) over the pairs.
Sides softmax_cocoercive(const Input& input) {
  require_normalizer(input, "softmax");
  const std::vector<Rational> h = input.move("step");
  const std::vector<Arb> a = softmax_scores(input.scaled_logits()).a;
  const std::vector<Arb> b = softmax_scores(moved(input)).a;
  std::vector<Arb> change(a.size());
  Arb product;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (h[i] == h[j]) continue;  // b_i/b_j = a_i/a_j
      const Arb flow = a[j] * b[i] - a[i] * b[j];
      change[i] += flow;
      change[j] -= flow;
      product += flow * Arb(h[i] - h[j]);
    }
  }
  return {Arb(2 * input.temperature()) * square(norm(change)), product};
}

/// The weights that x_i gives all vectors: those of -||x_i - x_j||^2/2 + ||x_j||^2/2 over T, which
/// differs from x_i . x_j/T by the same for all j.
std::vector<Arb> weights_of(const Vectors& x, std::size_t i, const Rational& t) {
  std::vector<Rational> z;
  for (const auto& key : x) {
    z.emplace_back((squared_norm(key) - squared_distance(x[i], key)) / (2 * t));
  }
  return softmax_scores(z).a;
}

/// sum_j (a_j - b_j) (x_j - x_last).
Arb difference(const std::vector<Arb>& a, const std::vector<Arb>& b, const Vectors& x) {
  std::vector<Arb> sum(x.front().size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    const Arb change = a[j] - b[j];
    for (std::size_t k = 0; k < sum.size(); ++k) {
      sum[k] += change * Arb(x[j][k] - x.back()[k]);
    }
  }
  return norm(sum);
}

/// max ||o_i - o_k|| and diam (e - 1)/(e + 1), e = exp(diam^2/(2T)).
Sides rank_collapse_diameter(const Input& input) {
  require_normalizer(input, "softmax");
  const Vectors x = input.rows("embeddings");
  require(x.size() >= 2, BadInputKind::out_of_range, "embeddings", "at least 2 tokens",
          fmt::format("{}", x.size()));
  const Rational t = input.temperature();
  std::vector<std::vector<Arb> > weights;
  for (std::size_t i = 0; i < x.size(); ++i) weights.push_back(weights_of(x, i, t));
  Arb farthest;
  Rational diameter = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      farthest = max(farthest, difference(weights[i], weights[k], x));
      diameter = std::max(diameter, squared_distance(x[i], x[k]));
    }
  }
  const Arb fall = exp(Arb(-diameter / (2 * t)));
  return {farthest, sqrt(diameter) * (Arb(1) - fall) / (Arb(1) + fall)};
}

/// ||sum a_i x_i|| and max ||x_i||.
Sides cage_norm(const Output& output) {
  return {output.output_length, longest(output.x)};
}

std::string not_spread_out(const Input& input) {
  return Spread(input.scaled_logits()).scatter > 0 ? "" : "std > 0";
}

/// a_i = gain (L z_i - sum z)/sqrt(scatter): ||sum a_i x_i|| and max ||x_i||.
Sides cage_pooling(const Input& input) {
  require_normalizer(input, "pooling");
  const std::vector<Rational> z = input.scaled_logits();
  const Spread spread(z);
  const auto x = embeddings_of(input, z.size());
  std::vector<Rational> output(x.front().size());
  for (std::size_t i = 0; i < z.size(); ++i) {
    const Rational offset = spread.length * z[i] - spread.sum;
    for (std::size_t k = 0; k < output.size(); ++k) output[k] += offset * x[i][k];
  }
  const Rational gain = input.positive("gain");
  return {sqrt(Rational(gain * gain * squared_norm(output) / spread.scatter)), longest(x)};
}

/// The largest of a_i ||x_i||, and that of the token of the largest weight.
Sides norm_based_largest(const Tokens& t) {
  std::vector<Arb> contributions;
  for (std::size_t i = 0; i < t.size(); ++i) contributions.push_back(t.length(i));
  return {largest(contributions), contributions[t.scores.order.front()]};
}

/// The assumption is on c_i = u . x_i/||u||: c_0 >= 0 and c_i >= c of the others, that is
/// sign(c_i) c_i^2 >= c^2.
std::string no_sink(const Input& input) {
  if (std::string unmet = no_distribution(input); !unmet.empty()) return unmet;
  const auto x = input.rows("embeddings");
  const std::vector<Rational> u = direction_of(input, x.front().size());
  const Rational c = input.positive("constant");
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Rational squared = signed_square_along(u, x[i]);
    if (i == 0 && squared < 0) return "u . x_0 >= 0";
    if (i > 0 && squared < c * c) return "u . x_i >= c ||u|| for every i != 0";
  }
  return "";
}

/// 1 - ||sum a_i x_i||/c and a_0.
Sides sink_no_op(const Input& input) {
  const Output output(input);
  const Rational c = input.positive("constant");
  const Arb& sink = output.scores.a.front();
  if (output.squared_length) {
    const auto ratio = exact_root(Rational(*output.squared_length / (c * c)));
    if (ratio) return {Arb(1 - *ratio), sink};
  }
  return {Arb(1) - output.output_length / Arb(c), sink};
}

std::vector<Rational> sums(const Input& input) {
  std::vector<Rational> s = input.numbers("query");
  const auto keys = input.rows("keys");
  require(keys.size() == 1, BadInputKind::inconsistent, "keys", "one row",
          fmt::format("{}", keys.size()));
  require(keys.front().size() == s.size(), BadInputKind::inconsistent, "keys",
          fmt::format("rows of {} entries", s.size()), fmt::format("{}", keys.front().size()));
  for (std::size_t k = 0; k < s.size(); ++k) s[k] += keys.front()[k];
  return s;
}

/// log(e^s_1 + .. + e^s_d) one term after the other, by log(e^u + e^v) = v + log(1 + e^(u - v));
/// and max s + log d.
Sides lse_upper(const Input& input) {
  const std::vector<Rational> s = sums(input);
  Arb sum(s[0]);
  Rational top = s[0];
  for (std::size_t k = 1; k < s.size(); ++k) {
    const Arb next(s[k]);
    sum = next + log1p(exp(sum - next));
    top = std::max(top, s[k]);
  }
  return {sum, Arb(top) + log(Arb(s.size()))};
}

}  // namespace

Checks beyond_checks() {
  return {
      {"softmax.row_sums", of<softmax_row_sums>},
      {"softmax.lp", softmax_lp},
      {"softmax.entropy", softmax_entropy, not_colder},
      {"softmax.cocoercive", softmax_cocoercive},
      {"rank_collapse.diameter", rank_collapse_diameter},
      {"cage.norm", of<cage_norm>, sum_beyond_one},
      {"cage.pooling", cage_pooling, not_spread_out},
      {"norm_based.largest", of<norm_based_largest>, lacks_weights},
      {"sink.no_op", sink_no_op, no_sink},
      {"lse.upper", lse_upper},
  };
}

}  // namespace attn::recheck
