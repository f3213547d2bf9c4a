// Theorem 1 for a set drawn at random: E, the mean of D over all sets of N tokens.
#include <fmt/format.h>

#include "theory/recheck/check.hpp"
#include "theory/recheck/scores.hpp"

namespace attn::recheck {
namespace {

constexpr std::size_t kMaxSets = 20'000;

/// C(n, k), or kMaxSets + 1 where it is larger.
std::size_t sets_of(std::size_t n, std::size_t k) {
  mpz_class count;
  mpz_bin_uiui(count.get_mpz_t(), n, k);
  return count > kMaxSets ? kMaxSets + 1 : count.get_ui();
}

struct Terms {
  Scores scores;
  std::vector<std::vector<Rational>> x;  ///< embeddings [L][d]
  std::size_t n;                         ///< N

  explicit Terms(const Input& input) : scores(scores_of(input)), x(input.rows("embeddings")) {
    require(x.size() == scores.size(), "embeddings",
            fmt::format("{} rows, one a token", scores.size()), fmt::format("{}", x.size()));
    n = input.selected(scores.size());
    require(sets_of(scores.size(), n) <= kMaxSets, "N",
            fmt::format("at most {} sets of N of the L tokens", kMaxSets), fmt::format("{}", n));
  }

  [[nodiscard]] std::size_t size() const { return scores.size(); }
  [[nodiscard]] std::size_t width() const { return x.front().size(); }
  /// p = (L - N)/L.
  [[nodiscard]] Arb share() const { return Arb(Rational(size() - n) / Rational(size())); }

  /// The length of factor y_i - v.
  [[nodiscard]] Arb length_of_difference(std::size_t i, const Rational& factor,
                                         const std::vector<Form>& v,
                                         const std::vector<Arb>& value) const {
    std::vector<Arb> offset;
    for (std::size_t k = 0; k < width(); ++k) {
      offset.push_back(scores.difference(i, factor * x[i][k], v[k], value[k]));
    }
    return norm(offset);
  }

  [[nodiscard]] std::vector<Arb> values(const std::vector<Form>& v) const {
    std::vector<Arb> values;
    for (const Form& coordinate : v) values.push_back(scores.value(coordinate));
    return values;
  }

  void add(std::vector<Form>& v, std::size_t i, const Rational& factor) const {
    for (std::size_t k = 0; k < width(); ++k) scores.add(v[k], i, factor * x[i][k]);
  }

  /// ||y_i||.
  [[nodiscard]] Arb length(std::size_t i) const { return scores.a[i] * sqrt(squared_norm(x[i])); }

  [[nodiscard]] Arb sum_of_lengths() const {
    Arb sum;
    for (std::size_t i = 0; i < size(); ++i) sum += length(i);
    return sum;
  }
};

/// E, by walking through all sets.
class Enumeration {
 public:
  explicit Enumeration(const Terms& terms)
      : terms_(terms), s_(terms.width()), chosen_(terms.size()) {
    choose(0, terms.n);
  }

  [[nodiscard]] Arb mean() const {
    return sum_ / Arb(static_cast<long>(sets_of(terms_.size(), terms_.n)));
  }

 private:
  /// Every way to choose `left` more tokens from `next` on.
  void choose(std::size_t next, std::size_t left) {
    if (left == 0) {
      add_distance();
      return;
    }
    for (std::size_t i = next; i + left <= terms_.size(); ++i) {
      chosen_[i] = true;
      terms_.add(s_, i, 1);
      choose(i + 1, left - 1);
      terms_.add(s_, i, -1);
      chosen_[i] = false;
    }
  }

  void add_distance() {
    const std::vector<Arb> value = terms_.values(s_);
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      if (!chosen_[i]) sum_ += terms_.length_of_difference(i, 1, s_, value);
    }
  }

  const Terms& terms_;
  std::vector<Form> s_;
  std::vector<bool> chosen_;
  Arb sum_;
};

/// ||m_i|| for every i: with c = N/(L-1), m_i = (1 + c) y_i - c sum_j y_j.
std::vector<Arb> mean_lengths(const Terms& t) {
  const Rational c = Rational(t.n) / Rational(t.size() - 1);
  std::vector<Form> total(t.width());
  for (std::size_t j = 0; j < t.size(); ++j) t.add(total, j, c);
  const std::vector<Arb> value = t.values(total);
  std::vector<Arb> lengths;
  for (std::size_t i = 0; i < t.size(); ++i) {
    lengths.push_back(t.length_of_difference(i, 1 + c, total, value));
  }
  return lengths;
}

/// V_i for every i, from the distances between the others: with n others, sum ||y_j||^2 -
/// ||sum y_j||^2/n is the sum of ||y_j - y_k||^2 over the pairs, over n.
std::vector<Arb> variances(const Terms& t) {
  std::vector<Arb> v(t.size());
  const std::size_t others = t.size() - 1;
  if (t.n == others) return v;
  for (std::size_t j = 0; j < t.size(); ++j) {
    std::vector<Form> y(t.width());
    t.add(y, j, 1);
    const std::vector<Arb> value = t.values(y);
    for (std::size_t k = 0; k < j; ++k) {
      const Arb squared = square(t.length_of_difference(k, 1, y, value));
      for (std::size_t i = 0; i < t.size(); ++i) {
        if (i != j && i != k) v[i] += squared;
      }
    }
  }
  const Rational factor =
      Rational(t.n * (others - t.n)) / (Rational(others) * Rational(others) * Rational(others - 1));
  for (Arb& variance : v) variance *= Arb(factor);
  return v;
}

/// p sum ||m_i|| <= E.
Sides random_lower(const Input& input) {
  const Terms t(input);
  Arb sum;
  for (const Arb& length : mean_lengths(t)) sum += length;
  return {t.share() * sum, Enumeration(t).mean()};
}

/// E <= p sum (||m_i|| + sqrt V_i).
Sides random_upper(const Input& input) {
  const Terms t(input);
  const std::vector<Arb> m = mean_lengths(t);
  const std::vector<Arb> v = variances(t);
  Arb sum;
  for (std::size_t i = 0; i < t.size(); ++i) sum += m[i] + sqrt(v[i]);
  return {Enumeration(t).mean(), t.share() * sum};
}

/// E <= p sum sqrt(||m_i||^2 + V_i).
Sides random_sharp(const Input& input) {
  const Terms t(input);
  const std::vector<Arb> m = mean_lengths(t);
  const std::vector<Arb> v = variances(t);
  Arb sum;
  for (std::size_t i = 0; i < t.size(); ++i) sum += sqrt(square(m[i]) + v[i]);
  return {Enumeration(t).mean(), t.share() * sum};
}

/// E <= (L - N) max ||x_i||.
Sides full_set(const Input& input) {
  const Terms t(input);
  Rational longest = 0;
  for (const auto& row : t.x) longest = std::max(longest, squared_norm(row));
  return {Enumeration(t).mean(), Arb(static_cast<long>(t.size() - t.n)) * sqrt(longest)};
}

/// |E - p sum ||y_i||| <= p N sum ||y_i||.
Sides long_context_repaired(const Input& input) {
  const Terms t(input);
  const Arb weighted = t.share() * t.sum_of_lengths();
  return {abs(Enumeration(t).mean() - weighted), Arb(static_cast<long>(t.n)) * weighted};
}

constexpr Check kChecks[] = {
    {"theorem1.random.lower", random_lower, no_distribution},
    {"theorem1.random.upper", random_upper, no_distribution},
    {"theorem1.random.sharp", random_sharp, no_distribution},
    {"corollary2.full_set", full_set, no_distribution},
    {"corollary2.long_context.repaired", long_context_repaired, no_distribution},
};

}  // namespace

std::span<const Check> random_sets_checks() {
  return kChecks;
}

}  // namespace attn::recheck
