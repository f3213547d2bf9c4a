#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpt2_check/activations/layer_tensors.hpp"
#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/activations/remarks.hpp"

namespace attn::gpt2 {
namespace {

using safetensors::File;

/// Scores of a head beside what its queries and keys make.
struct Beside {
  at::Tensor scores, products;  ///< [query, key], float64
  at::Tensor is_seen;           ///< [query, key], booleans
};

/// The products of a layer whose scores lie beside its queries and keys.
class Products {
 public:
  Products(const File& file, const LayerShape& layer)
      : file_(file),
        layer_(layer),
        q_(rows(q_name(file, layer.layer))),
        k_(rows(k_name(file, layer.layer))) {}

  [[nodiscard]] bool are_of_the_scores() const {
    return q_.size(0) == layer_.queries && q_.size(1) == layer_.heads &&
           k_.size(0) == layer_.keys && layer_.heads % k_.size(1) == 0 && q_.size(2) == k_.size(2);
  }

  /// The first queries and keys of a head: as many as show enough.
  [[nodiscard]] Beside of(std::int64_t head) const {
    constexpr std::int64_t kMost = 256;
    constexpr double kFill = 1e4;  // a mask's number is as far, at least
    const std::int64_t queries = std::min(layer_.queries, kMost);
    const std::int64_t keys = std::min(layer_.keys, layer_.keys - layer_.queries + kMost);
    const std::int64_t size = layer_.queries * layer_.keys;
    const at::Tensor scores =
        file_.read_part(names::scores(layer_.layer), head * size, {queries, layer_.keys})
            .slice(1, 0, keys)
            .to(at::kDouble);
    const at::Tensor q = q_.select(1, head).slice(0, 0, queries);
    const at::Tensor k = k_.select(1, head * k_.size(1) / layer_.heads).slice(0, 0, keys);
    return {.scores = scores,
            .products = at::matmul(q, k.t()),
            .is_seen = scores.abs().lt(kFill)};  // NaN is not
  }

 private:
  [[nodiscard]] at::Tensor rows(const std::string& name) const {
    return file_.read(name).to(at::kDouble).reshape(sizes_of(file_, name));
  }

  const File& file_;
  const LayerShape& layer_;
  at::Tensor q_, k_;
};

/// The mean over each diagonal of the numbers [query, key] that are seen, at their places.
at::Tensor means_of_diagonals(const at::Tensor& numbers, const at::Tensor& is_seen) {
  const std::int64_t queries = numbers.size(0), keys = numbers.size(1);
  const at::Tensor which =
      (at::arange(keys).unsqueeze(0) - at::arange(queries).unsqueeze(1) + queries - 1).flatten();
  const auto sums = [&](const at::Tensor& of) {
    return at::zeros({queries + keys - 1}, at::kDouble)
        .index_add(0, which, of.to(at::kDouble).flatten())
        .index_select(0, which)
        .reshape({queries, keys});
  };
  return sums(numbers) / sums(is_seen).clamp_min(1);
}

/// Numbers [query, key] less their mean over an axis; 0 where they are not seen.
at::Tensor less_means(const at::Tensor& numbers, std::int64_t axis, const at::Tensor& is_seen) {
  const at::Tensor hidden = is_seen.logical_not();
  const at::Tensor sums = numbers.masked_fill(hidden, 0).sum(axis, true);
  return (numbers - sums / is_seen.sum(axis, true).clamp_min(1)).masked_fill(hidden, 0);
}

/// Numbers less what rows, columns and diagonals have in common, nearly: what a softmax does not
/// see, a key that all queries look at, and a bias by distance. 0 where they are not seen.
at::Tensor own_part(const at::Tensor& numbers, const at::Tensor& is_seen) {
  constexpr int kRounds = 8;
  at::Tensor rest = numbers;
  for (int round = 0; round < kRounds; ++round) {
    rest = less_means(less_means(rest, 1, is_seen), 0, is_seen);
    rest = (rest - means_of_diagonals(rest, is_seen)).masked_fill(is_seen.logical_not(), 0);
  }
  return rest;
}

/// The correlation of the scores of a head with the products, of the part that is their own;
/// nothing where nearly all is in common.
std::optional<double> correlation(const Beside& head) {
  constexpr double kSome = 0.1;
  const at::Tensor a = own_part(head.scores, head.is_seen);
  const at::Tensor b = own_part(head.products, head.is_seen);
  const double of_scores = a.norm().item<double>(), of_products = b.norm().item<double>();
  const double of_rows = less_means(head.scores, 1, head.is_seen).norm().item<double>();
  if (!(of_scores > kSome * of_rows && of_products > 0)) return std::nullopt;
  return (a * b).sum().item<double>() / (of_scores * of_products);
}

/// Whether the scores have nothing to do with the products: half of the heads have nearly no
/// correlation. A rotation in between leaves more, and so does a softcap.
bool are_of_others(const Products& products, std::int64_t heads) {
  constexpr double kLittle = 0.3;
  std::vector<double> found;
  for (std::int64_t head = 0; head < heads; ++head) {
    if (const auto of_head = correlation(products.of(head))) found.push_back(*of_head);
  }
  if (found.empty()) return false;
  std::ranges::sort(found);
  return found[found.size() / 2] < kLittle;
}

/// Whether the scores are the products, as the first head has them.
bool are_not_divided(const Products& products) {
  constexpr double kNear = 0.02;
  const auto [scores, made, is_seen] = products.of(0);
  const at::Tensor hidden = is_seen.logical_not();
  const at::Tensor difference = (scores - made).abs().masked_fill(hidden, 0);
  return is_seen.any().item<bool>() &&
         difference.max().item<double>() <=
             kNear * made.masked_fill(hidden, 0).abs().max().item<double>();
}

}  // namespace

std::optional<std::string> remark_on_products(const File& file, const LayerShape& layer) {
  constexpr std::int64_t kFew = 8;  // queries: what is left of fewer is chance
  const std::string q = q_name(file, layer.layer), k = k_name(file, layer.layer);
  if (layer.source != LogitSource::scores || !file.contains(q) || !file.contains(k)) return {};
  if (sizes_of(file, q).size() != 3 || sizes_of(file, k).size() != 3) return {};
  const Products products(file, layer);
  if (!products.are_of_the_scores()) return {};
  if (sizes_of(file, q).back() > 1 && are_not_divided(products)) {
    return "the scores are the products of queries and keys, not divided: `temperatures` say what "
           "the softmax divides them by";
  }
  if (layer.queries >= kFew && are_of_others(products, layer.heads)) {
    return "the scores have nothing to do with the products of the queries and keys beside them, "
           "which are not read: are these of another layer, of other heads, or of before a "
           "rotation?";
  }
  return std::nullopt;
}

}  // namespace attn::gpt2
