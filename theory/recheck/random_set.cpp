#include "theory/recheck/random_set.hpp"

#include <fmt/format.h>

namespace attn::recheck {

namespace {

constexpr std::size_t kMaxSets = 20'000;

/// C(n, k), or kMaxSets + 1 where it is larger.
std::size_t sets_of(std::size_t n, std::size_t k) {
  mpz_class count;
  mpz_bin_uiui(count.get_mpz_t(), n, k);
  return count > kMaxSets ? kMaxSets + 1 : count.get_ui();
}

/// E, by walking through all sets.
class Enumeration {
 public:
  explicit Enumeration(const RandomSet& set) : set_(set), s_(set.width()), chosen_(set.size()) {
    choose(0, set.n);
  }

  [[nodiscard]] Arb mean() const {
    return sum_ / Arb(static_cast<long>(sets_of(set_.size(), set_.n)));
  }

 private:
  /// Every way to choose `left` more tokens from `next` on.
  void choose(std::size_t next, std::size_t left) {
    if (left == 0) {
      add_distance();
      return;
    }
    for (std::size_t i = next; i + left <= set_.size(); ++i) {
      chosen_[i] = true;
      set_.add(s_, i, 1);
      choose(i + 1, left - 1);
      set_.add(s_, i, -1);
      chosen_[i] = false;
    }
  }

  void add_distance() {
    const std::vector<Arb> value = set_.values(s_);
    for (std::size_t i = 0; i < set_.size(); ++i) {
      if (!chosen_[i]) sum_ += set_.length_of_difference(i, 1, s_, value);
    }
  }

  const RandomSet& set_;
  std::vector<Form> s_;
  std::vector<bool> chosen_;
  Arb sum_;
};

}  // namespace

RandomSet::RandomSet(const Input& input) : scores(weights_of(input)), x(input.rows("embeddings")) {
  require(x.size() == scores.size(), BadInputKind::inconsistent, "embeddings",
          fmt::format("{} rows, one a token", scores.size()), fmt::format("{}", x.size()));
  n = input.selected(scores.size());
  require(sets_of(scores.size(), n) <= kMaxSets, BadInputKind::too_large, "N",
          fmt::format("at most {} sets of N of the L tokens", kMaxSets), fmt::format("{}", n));
}

Arb RandomSet::length_of_difference(std::size_t i, const Rational& factor,
                                    const std::vector<Form>& v,
                                    const std::vector<Arb>& value) const {
  std::vector<Arb> offset;
  for (std::size_t k = 0; k < width(); ++k) {
    offset.push_back(scores.difference(i, factor * x[i][k], v[k], value[k]));
  }
  return norm(offset);
}

std::vector<Arb> RandomSet::values(const std::vector<Form>& v) const {
  std::vector<Arb> values;
  for (const Form& coordinate : v) values.push_back(scores.value(coordinate));
  return values;
}

void RandomSet::add(std::vector<Form>& v, std::size_t i, const Rational& factor) const {
  for (std::size_t k = 0; k < width(); ++k) scores.add(v[k], i, factor * x[i][k]);
}

Arb RandomSet::sum_of_lengths() const {
  Arb sum;
  for (std::size_t i = 0; i < size(); ++i) sum += length(i);
  return sum;
}

Arb expected_distance(const RandomSet& set) {
  return Enumeration(set).mean();
}

std::vector<Arb> mean_lengths(const RandomSet& t) {
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

std::vector<Arb> variances(const RandomSet& t) {
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

}  // namespace attn::recheck
