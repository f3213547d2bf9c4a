#include "theory/attention/normalizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "theory/base/words.hpp"

namespace attn {
namespace {

constexpr NormalizerTraits kNormalizers[] = {
    {.normalizer = Normalizer::softmax,
     .name = "softmax",
     .definition = "$exp(z_i) / sum_j exp(z_j)$",
     .constant = "$1/2$",
     .breaks = "-",
     .claim = "corollary3.sharp",
     .smooth_positive = true,
     .of_any_length = true,
     .probability = true,
     .sums_to_at_most_one = true,
     .exponential = true},
    {.normalizer = Normalizer::sigmoid,
     .name = "sigmoid",
     .definition = "$sigma(z_i) / sum_j sigma(z_j)$",
     .constant = "$1/2$, not attained",
     .breaks = "-",
     .claim = "lipschitz.sigmoid",
     .smooth_positive = true,
     .of_any_length = true,
     .probability = true,
     .sums_to_at_most_one = true,
     .by_matrix = true},
    {.normalizer = Normalizer::softplus,
     .name = "softplus",
     .definition = "$log(1 + exp(z_i)) / sum_j log(1 + exp(z_j))$",
     .constant = "$1/2$, not attained",
     .breaks = "-",
     .claim = "lipschitz.softplus",
     .smooth_positive = true,
     .of_any_length = true,
     .probability = true,
     .sums_to_at_most_one = true,
     .by_matrix = true},
    {.normalizer = Normalizer::taylor,
     .name = "taylor",
     .definition = "$F(z_i) / sum_j F(z_j)$, $F(z) = 1 + z + z^2/2$",
     .constant = "$1/2$",
     .breaks = "-",
     .claim = "lipschitz.taylor",
     .smooth_positive = true,
     .of_any_length = true,
     .probability = true,
     .sums_to_at_most_one = true,
     .by_matrix = true},
    {.normalizer = Normalizer::scalable_softmax,
     .name = "scalable_softmax",
     .definition = "$L^z_i / sum_j L^z_j$",
     .constant = "$ln(L)/2$",
     .breaks = "depends on L",
     .claim = "lipschitz.scalable_softmax",
     .smooth_positive = true,
     .probability = true,
     .sums_to_at_most_one = true,
     .exponential = true},
    {.normalizer = Normalizer::sparsemax,
     .name = "sparsemax",
     .definition = "the Euclidean projection of $z$ on the simplex",
     .constant = "1",
     .breaks = "not smooth, zeros",
     .claim = "lipschitz.sparsemax",
     .probability = true,
     .sums_to_at_most_one = true},
    {.normalizer = Normalizer::entmax,
     .name = "entmax",
     .definition = "$max(z_i/2 - tau, 0)^2$ with sum 1 (1.5-entmax)",
     .constant = "1, approached as $L$ grows",
     .breaks = "zeros",
     .claim = "lipschitz.entmax",
     .probability = true,
     .sums_to_at_most_one = true},
    {.normalizer = Normalizer::self_adjusted,
     .name = "self_adjusted",
     .definition = "$softmax(z)_i (z_i - min(z, 0)) / (max(z, 0) - min(z, 0))$",
     .constant = "none: not Lipschitz at 0",
     .breaks = "not smooth, sum < 1",
     .claim = "lipschitz.self_adjusted",
     .sums_to_at_most_one = true,
     .by_matrix = true},
    {.normalizer = Normalizer::softmax1,
     .name = "softmax1",
     .definition = "$exp(z_i) / (1 + sum_j exp(z_j))$",
     .constant = "$1/2$, not attained",
     .breaks = "sum < 1",
     .claim = "lipschitz.softmax1",
     .sums_to_at_most_one = true,
     .by_matrix = true},
    {.normalizer = Normalizer::sigmoid_attention,
     .name = "sigmoid_attention",
     .definition = "$sigma(z_i - ln L)$",
     .constant = "$1/4$",
     .breaks = "sum, depends on L",
     .claim = "lipschitz.sigmoid_attention"},
    {.normalizer = Normalizer::relu_attention,
     .name = "relu_attention",
     .definition = "$max(z_i, 0) / L$",
     .constant = "$1/L$",
     .breaks = "not smooth, zeros, sum, depends on L",
     .claim = "lipschitz.relu_attention"},
    {.normalizer = Normalizer::pooling,
     .name = "pooling",
     .definition = "$gain (z_i - mean) / std$",
     .constant = "$gain/std$, unbounded as $std -> 0$",
     .breaks = "signs, sum",
     .claim = "lipschitz.pooling",
     .by_matrix = true,
     .lacks = "pooling: a gain, which such a case does not give"},
    {.normalizer = Normalizer::polynomial,
     .name = "polynomial",
     .definition = "$z_i^p / sqrt(L)$ on $[-b, b]$",
     .constant = "$p b^(p-1) / sqrt(L)$",
     .breaks = "signs (odd p), sum, depends on L",
     .claim = "lipschitz.polynomial",
     .lacks = "polynomial: a degree, which such a case does not give"},
    {.normalizer = std::nullopt,
     .name = "sinkhorn",
     .definition = "rows and columns of $exp(C/T)$ scaled in turn to a doubly stochastic matrix",
     .constant = "$1/2$",
     .breaks = "couples rows: not F / sum F",
     .claim = "lipschitz.sinkhorn.sharp"},
};

/// Whether the i-th of the rows is that of the i-th normaliser; the last is Sinkhorn's.
constexpr bool has_row_for_each() {
  for (std::size_t i = 0; i + 1 < std::size(kNormalizers); ++i) {
    if (kNormalizers[i].normalizer != Normalizer{static_cast<int>(i)}) return false;
  }
  return std::size(kNormalizers) == static_cast<std::size_t>(kLastNormalizer) + 2 &&
         !std::rbegin(kNormalizers)->normalizer;
}
static_assert(is_last<kLastNormalizer>(), "the last of the normalisers");
static_assert(has_row_for_each(), "a row for each normaliser, in their order, and Sinkhorn's");

/// "sparsemax: not smooth, zeros", for each normaliser; made once, so that views of it last.
std::string_view outside(Normalizer normalizer) {
  static const auto names = [] {
    std::array<std::string, std::size(kNormalizers)> all;
    std::ranges::transform(kNormalizers, all.begin(), [](const NormalizerTraits& t) {
      return fmt::format("{}: {}", t.name, t.breaks);
    });
    return all;
  }();
  return names[static_cast<std::size_t>(&traits(normalizer) - kNormalizers)];
}

}  // namespace

std::span<const NormalizerTraits> normalizers() {
  return kNormalizers;
}

const NormalizerTraits& traits(Normalizer normalizer) {
  const auto found = std::ranges::find(kNormalizers, normalizer, &NormalizerTraits::normalizer);
  if (found == std::end(kNormalizers)) throw std::logic_error("a normaliser without a row");
  return *found;
}

std::string_view to_string(Normalizer normalizer) {
  return traits(normalizer).name;
}

std::string_view breaks_lemma1(const CaseContext& context) {
  const Normalizer normalizer = context.normalizer();
  return traits(normalizer).of_any_length ? std::string_view{} : outside(normalizer);
}

std::string_view breaks_lemma2(const CaseContext& context) {
  const Normalizer normalizer = context.normalizer();
  return traits(normalizer).smooth_positive ? std::string_view{} : outside(normalizer);
}

std::string_view breaks_theorem1(const CaseContext& context) {
  if (context.has_weights() || traits(context.normalizer()).probability) return {};
  return outside(context.normalizer());
}

}  // namespace attn
