#include "theory/recheck/scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "theory/recheck/check.hpp"

namespace attn::recheck {
namespace {

constexpr std::array kQuotients = {"softmax", "sigmoid", "softplus", "taylor"};
constexpr std::array kDistributions = {"scalable_softmax", "sparsemax", "entmax"};
constexpr std::array kOthers = {"self_adjusted",  "softmax1", "sigmoid_attention",
                                "relu_attention", "pooling",  "polynomial"};

bool among(const auto& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

void require_known(const std::string& normalizer) {
  const bool is_known = among(kQuotients, normalizer) || among(kDistributions, normalizer) ||
                        among(kOthers, normalizer);
  require(is_known, BadInputKind::unknown_name, "normalizer", "a known normaliser", normalizer);
}

/// Tokens by decreasing key, ties to the lower index.
std::vector<std::size_t> order_by(const std::vector<Rational>& keys) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t i, std::size_t j) { return keys[i] > keys[j]; });
  return order;
}

/// Weights that are known exactly.
Scores rational_scores(const std::vector<Rational>& weights) {
  Scores scores;
  scores.factor = weights;
  scores.kind.assign(weights.size(), 0);
  scores.basis = {Arb(1)};
  for (const Rational& weight : weights) scores.a.emplace_back(weight);
  scores.order = order_by(weights);
  return scores;
}

/// Weights in proportion to numbers >= 0, not all zero.
Scores scores_in_proportion(std::vector<Rational> f) {
  Rational sum = 0;
  for (const Rational& value : f) sum += value;
  for (Rational& value : f) value /= sum;
  return rational_scores(f);
}

/// Weights f(key), an increasing function that is never zero.
Scores scores_by(const std::vector<Rational>& keys, const std::function<Arb(const Rational&)>& f) {
  Scores scores;
  std::map<Rational, std::size_t> kinds;
  for (const Rational& key : keys) {
    const auto [place, inserted] = kinds.emplace(key, kinds.size());
    if (inserted) scores.basis.push_back(f(key));
    scores.kind.push_back(place->second);
    scores.a.push_back(scores.basis[place->second]);
  }
  scores.factor.assign(keys.size(), Rational(1));
  scores.order = order_by(keys);
  return scores;
}

/// Weights f(key)/(rest + the sum over all keys).
Scores quotient_scores(const std::vector<Rational>& keys,
                       const std::function<Arb(const Rational&)>& f, Arb rest = Arb(0)) {
  Scores scores = scores_by(keys, f);
  for (const Arb& value : scores.a) rest += value;
  for (Arb& value : scores.basis) value /= rest;
  for (Arb& value : scores.a) value /= rest;
  return scores;
}

/// sum_j max(z_j/2 - z_i/2, 0)^2 of 1.5-entmax, which falls in z_i and is 1 where z_i/2 = tau:
/// token i is in the support where it is below 1.
Rational squares_above(const std::vector<Rational>& z, const Rational& z_i) {
  Rational sum = 0;
  for (const Rational& z_j : z) {
    const Rational above = (z_j - z_i) / 2;
    if (above > 0) sum += above * above;
  }
  return sum;
}

Scores entmax_scores(const std::vector<Rational>& z) {
  const std::vector<Arb> roots = entmax_roots(z);
  std::vector<Rational> keys = z;
  const Rational least = *std::ranges::min_element(z);
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (is_zero(roots[i])) keys[i] = least - 1;  // tokens of weight zero are tied
  }
  Scores scores = scores_by(keys, [&](const Rational& key) {
    const auto found = std::ranges::find(keys, key);
    return square(roots[static_cast<std::size_t>(found - keys.begin())]);
  });
  for (std::size_t i = 0; i < z.size(); ++i) scores.factor[i] = is_zero(roots[i]) ? 0 : 1;
  return scores;
}

Scores taylor_scores(const std::vector<Rational>& z) {
  std::vector<Rational> f;
  for (const Rational& x : z) f.emplace_back(1 + x + x * x / 2);
  return scores_in_proportion(std::move(f));
}

}  // namespace

std::vector<Arb> Scores::sorted() const {
  std::vector<Arb> sorted;
  for (const std::size_t i : order) sorted.push_back(a[i]);
  return sorted;
}

void Scores::add(Form& form, std::size_t i, const Rational& coefficient) const {
  Rational& entry = form[kind[i]];
  entry += coefficient * factor[i];
  if (entry == 0) form.erase(kind[i]);
}

Arb Scores::value(const Form& form) const {
  Arb sum;
  for (const auto& [k, coefficient] : form) sum += Arb(coefficient) * basis[k];
  return sum;
}

Arb Scores::difference(std::size_t i, const Rational& coefficient, const Form& form,
                       const Arb& total) const {
  if (form.size() > 1 || (form.size() == 1 && form.begin()->first != kind[i])) {
    return Arb(coefficient) * a[i] - total;
  }
  Rational left = coefficient * factor[i];
  if (!form.empty()) left -= form.begin()->second;
  return Arb(left) * basis[kind[i]];
}

Scores softmax_scores(const std::vector<Rational>& z) {
  return quotient_scores(z, [&](const Rational& x) { return exp(Arb(x - z[0])); });
}

// For other exponents than whole ones z_i - min z, up to 64, by their logarithm.
Scores scalable_scores(const std::vector<Rational>& z) {
  constexpr long kMostPower = 64;
  const Rational least = *std::ranges::min_element(z);
  const bool whole = std::ranges::all_of(z, [&](const Rational& x) {
    const Rational exponent = x - least;
    return exponent.get_den() == 1 && exponent <= kMostPower;
  });
  if (!whole) {
    const Arb log_length = log(Arb(z.size()));
    return quotient_scores(z, [&](const Rational& x) { return exp(Arb(x - z[0]) * log_length); });
  }
  std::vector<Rational> powers;
  for (const Rational& x : z) {
    mpz_class power;
    mpz_ui_pow_ui(power.get_mpz_t(), z.size(), Rational(x - least).get_num().get_ui());
    powers.emplace_back(power);
  }
  return scores_in_proportion(std::move(powers));
}

// softmax(z)_i (z_i - lo)/(hi - lo), lo = min(min z, 0) and hi = max(max z, 0).
Scores self_adjusted_scores(const std::vector<Rational>& z) {
  const auto [least, most] = std::ranges::minmax(z);
  const Rational low = std::min(least, Rational(0));
  const Rational width = std::max(most, Rational(0)) - low;
  Scores scores = softmax_scores(z);
  for (std::size_t i = 0; i < z.size(); ++i) {
    scores.factor[i] = (z[i] - low) / width;
    scores.a[i] *= Arb(scores.factor[i]);
  }
  return scores;
}

Scores given_scores(const Input& input) {
  const std::vector<Rational> weights = input.numbers("weights");
  require(!input.has("logits"), BadInputKind::inconsistent, "weights", "logits or weights", "both");
  require(weights.size() >= 2, BadInputKind::out_of_range, "weights", "at least 2 tokens",
          fmt::format("{}", weights.size()));
  Rational sum = 0;
  for (const Rational& weight : weights) {
    require(weight >= 0, BadInputKind::out_of_range, "weights", "numbers >= 0", weight.get_str());
    sum += weight;
  }
  require(sum == 1, BadInputKind::inconsistent, "weights", "a sum of exactly 1",
          fmt::format("a sum of {}", sum.get_d()));
  return rational_scores(weights);
}

Scores scores_of(const Input& input) {
  const Rational t = input.temperature();
  const std::string normalizer = input.normalizer();
  if (input.has("weights")) {
    // T and the normaliser say nothing then, but must be what they may be.
    require_known(normalizer);
    return given_scores(input);
  }
  const std::vector<Rational> z = input.logits_over(t);
  if (normalizer == "softmax") return softmax_scores(z);
  if (normalizer == "taylor") return taylor_scores(z);
  if (normalizer == "sparsemax") return rational_scores(sparsemax(z));
  if (normalizer == "entmax") return entmax_scores(z);
  if (normalizer == "scalable_softmax") return scalable_scores(z);
  require(is_quotient(normalizer), BadInputKind::unknown_name, "normalizer", "a known normaliser",
          normalizer);
  return quotient_scores(z, [&](const Rational& x) { return normalizer_at(normalizer, x).value; });
}

Scores weights_of(const Input& input) {
  if (no_distribution(input).empty()) return scores_of(input);
  const std::vector<Rational> z = input.scaled_logits();
  const std::string normalizer = input.normalizer();
  if (normalizer == "self_adjusted") return self_adjusted_scores(z);
  if (normalizer == "softmax1") {
    return quotient_scores(
        z, [&](const Rational& x) { return exp(Arb(x - z[0])); }, exp(Arb(-z[0])));
  }
  if (normalizer == "sigmoid_attention") {
    const Arb length(z.size());
    return scores_by(z,
                     [&](const Rational& x) { return Arb(1) / (Arb(1) + length * exp(Arb(-x))); });
  }
  require(normalizer == "relu_attention", BadInputKind::unsupported, "normalizer",
          "one that needs nothing but logits", normalizer);
  return rational_scores(relu_weights(z));
}

std::string lacks_weights(const Input& input) {
  if (no_distribution(input).empty()) return "";
  const std::string normalizer = input.normalizer();
  if (normalizer == "pooling") return "pooling: a gain";
  if (normalizer == "polynomial") return "polynomial: a degree";
  const std::vector<Rational> z = input.scaled_logits();
  const bool origin = std::ranges::all_of(z, [](const Rational& x) { return x == 0; });
  return normalizer == "self_adjusted" && origin ? "self_adjusted: not all logits zero" : "";
}

std::string sum_beyond_one(const Input& input) {
  if (std::string lack = lacks_weights(input); !lack.empty()) return lack;
  if (no_distribution(input).empty()) return "";
  const std::string normalizer = input.normalizer();
  if (normalizer == "softmax1" || normalizer == "self_adjusted") return "";
  const Recording recording;
  const Scores scores = weights_of(input);
  Form total;
  for (std::size_t i = 0; i < scores.size(); ++i) scores.add(total, i, 1);
  const std::optional<int> order = order_of(scores.value(total), Arb(1));
  if (!order) throw NotTold();
  return *order <= 0 ? "" : "a_i >= 0 and sum a_i <= 1";
}

std::string no_distribution(const Input& input) {
  if (input.has("weights")) return {};
  const std::string normalizer = input.normalizer();
  const bool fits = is_quotient(normalizer) || among(kDistributions, normalizer);
  return fits ? "" : "a_i >= 0 and sum a_i = 1";
}

bool is_quotient(const std::string& normalizer) {
  require_known(normalizer);
  return among(kQuotients, normalizer);
}

Slope normalizer_at(const std::string& normalizer, const Rational& z) {
  if (normalizer == "softmax") {
    const Arb e = exp(Arb(z));
    return {e, e};
  }
  if (normalizer == "taylor") {
    return {Arb(1 + z + z * z / 2), Arb(1 + z)};
  }
  const Arb down = exp(Arb(-z));
  const Arb sigmoid = Arb(1) / (Arb(1) + down);
  if (normalizer == "sigmoid") return {sigmoid, down * square(sigmoid)};
  // log(1 + e^z) = max(z, 0) + log(1 + e^-|z|)
  const Arb tail = log1p(z > 0 ? down : exp(Arb(z)));
  return {z > 0 ? Arb(z) + tail : tail, sigmoid};
}

std::vector<Arb> entmax_roots(const std::vector<Rational>& z) {
  std::vector<bool> inside;
  Rational mean = 0;
  long count = 0;
  for (const Rational& z_i : z) {
    inside.push_back(squares_above(z, z_i) < 1);
    if (inside.back()) {
      mean += z_i / 2;
      ++count;
    }
  }
  mean /= count;
  Rational scatter = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const Rational offset = z[i] / 2 - mean;
    if (inside[i]) scatter += offset * offset;
  }
  const Arb reach = sqrt(Rational((1 - scatter) / count));  // mean - tau
  std::vector<Arb> roots;
  for (std::size_t i = 0; i < z.size(); ++i) {
    roots.push_back(inside[i] ? Arb(z[i] / 2 - mean) + reach : Arb(0));
  }
  return roots;
}

std::vector<Rational> relu_weights(std::vector<Rational> z) {
  const Rational length(z.size());
  for (Rational& x : z) x = x > 0 ? Rational(x / length) : Rational(0);
  return z;
}

std::vector<Rational> sparsemax(const std::vector<Rational>& z) {
  // sum_j max(z_j - t, 0) falls in t and is 1 at the threshold.
  const auto in_support = [&](const Rational& z_i) {
    Rational sum = 0;
    for (const Rational& z_j : z) {
      if (z_j > z_i) sum += z_j - z_i;
      if (sum >= 1) return false;
    }
    return true;
  };
  Rational threshold = -1;
  long count = 0;
  for (const Rational& z_i : z) {
    if (!in_support(z_i)) continue;
    threshold += z_i;
    ++count;
  }
  threshold /= count;
  std::vector<Rational> projection;
  for (const Rational& z_i : z) {
    const Rational above = z_i - threshold;
    projection.push_back(above > 0 ? above : Rational(0));
  }
  return projection;
}

}  // namespace attn::recheck
