#include "theory/recheck/tokens.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attn::recheck {

Vectors embeddings_of(const Input& input, std::size_t tokens) {
  Vectors x = input.rows("embeddings");
  require(x.size() == tokens, BadInputKind::inconsistent, "embeddings",
          fmt::format("{} rows, one a token", tokens), fmt::format("{}", x.size()));
  return x;
}

Arb longest(const Vectors& x) {
  Rational squared = 0;
  for (const auto& vector : x) squared = std::max(squared, squared_norm(vector));
  return sqrt(squared);
}

Tokens::Tokens(const Input& input)
    : scores(weights_of(input)), x(embeddings_of(input, scores.size())) {}

void Tokens::add(std::vector<Form>& v, std::size_t i, const Rational& factor) const {
  v.resize(width());
  for (std::size_t k = 0; k < width(); ++k) scores.add(v[k], i, factor * x[i][k]);
}

std::vector<Arb> Tokens::values(const std::vector<Form>& v) const {
  std::vector<Arb> values;
  for (const Form& coordinate : v) values.push_back(scores.value(coordinate));
  return values;
}

std::vector<Arb> Tokens::difference(std::size_t i, const Rational& factor,
                                    const std::vector<Form>& v,
                                    const std::vector<Arb>& value) const {
  std::vector<Arb> offset;
  for (std::size_t k = 0; k < width(); ++k) {
    offset.push_back(scores.difference(i, factor * x[i][k], v[k], value[k]));
  }
  return offset;
}

namespace {

/// The weights, where all that are not zero are multiples of one number: their sum is 1.
std::optional<std::vector<Rational>> rational_weights(const Scores& scores) {
  Rational sum = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const bool same = scores.kind[i] == scores.kind[scores.order.front()];
    if (scores.factor[i] != 0 && !same) return std::nullopt;
    sum += scores.factor[i];
  }
  std::vector<Rational> weights = scores.factor;
  for (Rational& weight : weights) weight /= sum;
  return weights;
}

std::optional<Rational> squared_output(const Tokens& t) {
  const std::vector<Rational>& first = t.x[t.scores.order.front()];
  bool is_shared = true;
  for (std::size_t i = 0; i < t.size(); ++i) {
    is_shared = is_shared && (t.scores.factor[i] == 0 || t.x[i] == first);
  }
  if (is_shared) return squared_norm(first);
  const auto weights = rational_weights(t.scores);
  if (!weights) return std::nullopt;
  std::vector<Rational> sum(t.width());
  for (std::size_t i = 0; i < t.size(); ++i) {
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += (*weights)[i] * t.x[i][k];
  }
  return squared_norm(sum);
}

/// Coordinate by coordinate, with equal weights taken together.
Arb length_of_sum(const Tokens& t) {
  std::vector<Form> sum;
  for (std::size_t i = 0; i < t.size(); ++i) t.add(sum, i, 1);
  return norm(t.values(sum));
}

/// y_i - s, coordinate by coordinate, in terms of the weights.
std::vector<Form> offset_of(const FixedSet& t, std::size_t i) {
  std::vector<Form> offset = t.s;
  for (Form& coordinate : offset) {
    for (auto& [kind, coefficient] : coordinate) coefficient = -coefficient;
  }
  t.add(offset, i, 1);
  return offset;
}

/// The squared length over the square of the one kind of weight that there is.
Rational exact_square(const std::vector<Form>& offset) {
  Rational sum = 0;
  for (const Form& coordinate : offset) {
    for (const auto& [kind, coefficient] : coordinate) sum += coefficient * coefficient;
  }
  return sum;
}

Arb square_of(const FixedSet& t, const std::vector<Form>& offset) {
  Arb sum;
  for (const Form& coordinate : offset) sum += square(t.scores.value(coordinate));
  return sum;
}

constexpr std::size_t kMaxSets = 20'000;

/// C(n, k), or kMaxSets + 1 where it is larger.
std::size_t sets_of(std::size_t n, std::size_t k) {
  mpz_class count;
  mpz_bin_uiui(count.get_mpz_t(), n, k);
  return count > kMaxSets ? kMaxSets + 1 : count.get_ui();
}

/// The sum of D over all sets.
class Enumeration {
 public:
  explicit Enumeration(const RandomSet& set) : set_(set), s_(set.width()), chosen_(set.size()) {
    choose(0, set.n);
  }

  [[nodiscard]] const Arb& sum() const { return sum_; }

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
      if (!chosen_[i]) sum_ += norm(set_.difference(i, 1, s_, value));
    }
  }

  const RandomSet& set_;
  std::vector<Form> s_;
  std::vector<bool> chosen_;
  Arb sum_;
};

}  // namespace

std::vector<Rational> direction_of(const Input& input, std::size_t width) {
  std::vector<Rational> u = input.numbers("direction");
  require(u.size() == width, BadInputKind::inconsistent, "direction",
          fmt::format("{} entries, as many as an embedding", width), fmt::format("{}", u.size()));
  require(squared_norm(u) > 0, BadInputKind::out_of_range, "direction", "a vector other than zero",
          "zero");
  return u;
}

Rational signed_square_along(const std::vector<Rational>& u, const std::vector<Rational>& x) {
  const Rational along = dot(u, x);
  return along * ::abs(along) / squared_norm(u);
}

std::vector<std::size_t> chosen_tokens(const Input& input, const Scores& scores) {
  require(!input.has("N") || !input.has("set"), BadInputKind::inconsistent, "set", "N or set",
          "both");
  if (input.has("set")) return input.indices("set", scores.size());
  const auto n = static_cast<std::ptrdiff_t>(input.selected(scores.size()));
  return {scores.order.begin(), scores.order.begin() + n};
}

std::optional<Rational> exact_root(const Rational& value) {
  const bool exact = mpz_perfect_square_p(value.get_num_mpz_t()) != 0 &&
                     mpz_perfect_square_p(value.get_den_mpz_t()) != 0;
  if (!exact) return std::nullopt;
  return Rational(::sqrt(value.get_num()), ::sqrt(value.get_den()));
}

Output::Output(const Input& input)
    : Tokens(input),
      squared_length(no_distribution(input).empty() ? squared_output(*this) : std::nullopt),
      output_length(squared_length ? sqrt(*squared_length) : length_of_sum(*this)) {}

FixedSet::FixedSet(const Input& input) : Tokens(input) {
  inside = chosen_tokens(input, scores);
  for (std::size_t i = 0; i < size(); ++i) {
    if (std::ranges::find(inside, i) == inside.end()) outside.push_back(i);
  }
  for (const std::size_t i : outside) scores.add(rest, i, 1);
  for (const std::size_t j : inside) {
    scores.add(mass, j, 1);
    add(s, j, 1);
    x_squared = std::max(x_squared, squared_norm(x[j]));
    for (const std::size_t i : outside) {
      d1_squared = std::max(d1_squared, squared_distance(x[i], x[j]));
    }
  }
  s_value = values(s);
}

Arb lost_length(const FixedSet& t) {
  std::vector<Form> e(t.width());
  for (const std::size_t i : t.outside) t.add(e, i, 1);
  return norm(t.values(e));
}

Arb FixedSet::distance() const {
  Arb sum;
  for (const std::size_t i : outside) sum += norm(offset(i));
  return sum;
}

Form FixedSet::excess() const {
  Form form;
  const auto count = Rational(outside.size());
  for (const std::size_t j : inside) scores.add(form, j, count);
  for (const std::size_t i : outside) scores.add(form, i, -1);
  return form;
}

std::string some_mass(const Input& input) {
  if (std::string unmet = no_distribution(input); !unmet.empty()) return unmet;
  return FixedSet(input).mass.empty() ? "A > 0" : "";
}

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
  return order_of(squares_[i], squares_[j]).value_or(2);
}

RandomSet::RandomSet(const Input& input) : Tokens(input), n(input.selected(size())) {
  require(sets_of(size(), n) <= kMaxSets, BadInputKind::too_large, "N",
          fmt::format("at most {} sets of N of the L tokens", kMaxSets), fmt::format("{}", n));
}

Arb RandomSet::sum_of_lengths() const {
  Arb sum;
  for (std::size_t i = 0; i < size(); ++i) sum += length(i);
  return sum;
}

Arb RandomSet::expected_distance() const {
  return Enumeration(*this).sum() / Arb(sets_of(size(), n));
}

std::vector<Arb> RandomSet::mean_lengths() const {
  const Rational c = Rational(n) / Rational(size() - 1);
  std::vector<Form> total;
  for (std::size_t j = 0; j < size(); ++j) add(total, j, c);
  const std::vector<Arb> value = values(total);
  std::vector<Arb> lengths;
  for (std::size_t i = 0; i < size(); ++i) {
    lengths.push_back(norm(difference(i, 1 + c, total, value)));
  }
  return lengths;
}

std::vector<Arb> RandomSet::variances() const {
  std::vector<Arb> v(size());
  const std::size_t others = size() - 1;
  if (n == others) return v;
  for (std::size_t j = 0; j < size(); ++j) {
    std::vector<Form> y;
    add(y, j, 1);
    const std::vector<Arb> value = values(y);
    for (std::size_t k = 0; k < j; ++k) {
      const Arb squared = square(norm(difference(k, 1, y, value)));
      for (std::size_t i = 0; i < size(); ++i) {
        if (i != j && i != k) v[i] += squared;
      }
    }
  }
  const Rational factor =
      Rational(n * (others - n)) / (Rational(others) * Rational(others) * Rational(others - 1));
  for (Arb& variance : v) variance *= Arb(factor);
  return v;
}

}  // namespace attn::recheck
