#include "theory/attention/normalizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace attn {
namespace {

constexpr NormalizerTraits kNormalizers[] = {
    {Normalizer::softmax, "softmax", "$exp(z_i) / sum_j exp(z_j)$", "$1/2$", "-",
     "corollary3.sharp", true, true, true, true, true, false, ""},
    {Normalizer::sigmoid, "sigmoid", "$sigma(z_i) / sum_j sigma(z_j)$", "$1/2$, not attained", "-",
     "lipschitz.sigmoid", true, true, true, true, false, true, ""},
    {Normalizer::softplus, "softplus", "$log(1 + exp(z_i)) / sum_j log(1 + exp(z_j))$",
     "$1/2$, not attained", "-", "lipschitz.softplus", true, true, true, true, false, true, ""},
    {Normalizer::taylor, "taylor", "$F(z_i) / sum_j F(z_j)$, $F(z) = 1 + z + z^2/2$", "$1/2$", "-",
     "lipschitz.taylor", true, true, true, true, false, true, ""},
    {Normalizer::scalable_softmax, "scalable_softmax", "$L^z_i / sum_j L^z_j$", "$ln(L)/2$",
     "depends on L", "lipschitz.scalable_softmax", true, false, true, true, true, false, ""},
    {Normalizer::sparsemax, "sparsemax", "the Euclidean projection of $z$ on the simplex", "1",
     "not smooth, zeros", "lipschitz.sparsemax", false, false, true, true, false, false, ""},
    {Normalizer::entmax, "entmax", "$max(z_i/2 - tau, 0)^2$ with sum 1 (1.5-entmax)",
     "1, approached as $L$ grows", "zeros", "lipschitz.entmax", false, false, true, true, false,
     false, ""},
    {Normalizer::self_adjusted, "self_adjusted",
     "$softmax(z)_i (z_i - min(z, 0)) / (max(z, 0) - min(z, 0))$", "none: not Lipschitz at 0",
     "not smooth, sum < 1", "lipschitz.self_adjusted", false, false, false, true, false, true, ""},
    {Normalizer::softmax1, "softmax1", "$exp(z_i) / (1 + sum_j exp(z_j))$", "$1/2$, not attained",
     "sum < 1", "lipschitz.softmax1", false, false, false, true, false, true, ""},
    {Normalizer::sigmoid_attention, "sigmoid_attention", "$sigma(z_i - ln L)$", "$1/4$",
     "sum, depends on L", "lipschitz.sigmoid_attention", false, false, false, false, false, false,
     ""},
    {Normalizer::relu_attention, "relu_attention", "$max(z_i, 0) / L$", "$1/L$",
     "not smooth, zeros, sum, depends on L", "lipschitz.relu_attention", false, false, false, false,
     false, false, ""},
    {Normalizer::pooling, "pooling", "$gain (z_i - mean) / std$",
     "$gain/std$, unbounded as $std -> 0$", "signs, sum", "lipschitz.pooling", false, false, false,
     false, false, true, "pooling: a gain, which such a case does not give"},
    {Normalizer::polynomial, "polynomial", "$z_i^p / sqrt(L)$ on $[-b, b]$",
     "$p b^(p-1) / sqrt(L)$", "signs (odd p), sum, depends on L", "lipschitz.polynomial", false,
     false, false, false, false, false, "polynomial: a degree, which such a case does not give"},
    {std::nullopt, "sinkhorn",
     "rows and columns of $exp(C/T)$ scaled in turn to a doubly stochastic matrix", "$1/2$",
     "couples rows: not F / sum F", "lipschitz.sinkhorn.sharp", false, false, false, false, false,
     false, ""},
};

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
