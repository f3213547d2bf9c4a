#include "gpt2_check/activations/recorded_outputs.hpp"

#include <ATen/TensorOperators.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gpt2_check/activations/fitting_outputs.hpp"
#include "gpt2_check/activations/layer_tensors.hpp"
#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/activations/outputs.hpp"
#include "gpt2_check/activations/remark_words.hpp"
#include "gpt2_check/activations/rounding.hpp"
#include "gpt2_check/activations/softmax_rows.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::gpt2 {
namespace {

using safetensors::File;

/// The types to which hardware rounds the numbers that it multiplies, in words, and how.
std::optional<std::string> rounding_that_explains(const LayerRows& rows,
                                                  const at::Tensor& outputs) {
  const double recorded = rounding_of_outputs(rows, outputs).relative;
  for (const auto& [type, words] :
       {std::pair{at::kHalf, "11 bits, as TF32 has"}, {at::kBFloat16, "8 bits, as bfloat16 has"}}) {
    Rounding rounding = rounding_of(type);
    if (rounding.relative <= recorded) continue;
    rounding.least = rounding_of(at::kFloat).least;  // its exponent is float32's
    if (!first_off(rows, outputs, rounding, outputs.size(1))) return words;
  }
  return std::nullopt;
}

/// On rows of the pattern whose sum is not 1 by more than rounding makes, where no sink is recorded
/// that takes a part.
std::optional<std::string> remark_on_sums(const LayerRows& rows) {
  const HeadSquares& pattern = rows.recorded_weights();
  if (!pattern.defined() || rows.sink.defined()) return std::nullopt;
  const Rounding& rounding = rounding_in(pattern);
  double least = 1, most = 1;
  for (std::int64_t head = 0; head < pattern.heads(); ++head) {
    const at::Tensor weights = pattern[head].to(at::kDouble), sums = weights.sum(-1);
    const double of_sum =
        3 * rounding.relative + static_cast<double>(weights.size(1)) * rounding_of_steps(rounding);
    const at::Tensor off = sums.masked_fill(sums.eq(0).logical_or((sums - 1).abs().le(of_sum)), 1);
    least = std::min(least, off.min().item<double>());
    most = std::max(most, off.max().item<double>());
  }
  if (least == most) return std::nullopt;
  return most == 1 ? fmt::format(kOffOfSums, least, "were keys left out that have weights?")
                   : fmt::format(kOffOfSums, most, "were the weights rounded?");
}

/// On outputs that only coarser rounding than that of the recorded types explains, to so many
/// `bits`.
std::string remark_on_rounded(const LayerRows& rows, const at::Tensor& outputs,
                              const std::string& bits) {
  if (auto sums = remark_on_sums(rows)) return *std::move(sums);
  // Of rounded products nearly all are off.
  const std::int64_t off = count_off(rows, outputs, rounding_of_outputs(rows, outputs));
  if (2 * off < outputs.numel()) return kSomeOff;
  return fmt::format(kRoundedProducts, bits);
}

std::string advice_on(const LayerRows& rows, const OffOutput& off) {
  if (off.is_of_no_key) {
    return "this query has weights in other heads: did the model weigh keys here that are left "
           "out?";
  }
  return fmt::format(
      "are hook_v and {} as the model used them, of this call, their heads and keys in one order, "
      "and hook_z what comes before a gate and the output's matrix? Leave out what is not",
      rows.recorded_weights().defined() ? "the pattern" : "the logits, the mask and T");
}

}  // namespace

at::Tensor read_outputs(const File& file, const LayerShape& recorded) {
  const std::string name = names::z(recorded.layer);
  const safetensors::Entry& entry = file.entry(name);
  if (!at::isFloatingType(entry.dtype)) return {};
  const Sizes& sizes = entry.shape;
  // Whatever was made of the heads of one query: its numbers lie side by side.
  const std::size_t first = sizes.size() > 2 && sizes.front() == 1 && recorded.queries > 1 ? 1 : 0;
  std::int64_t numbers = 1;
  for (const std::int64_t size : sizes) numbers *= size;
  const Sizes wanted{recorded.queries, recorded.heads, recorded.value_width};
  const bool fits = sizes.size() > first && sizes[first] == recorded.queries &&
                    numbers == wanted[0] * wanted[1] * wanted[2];
  return fits ? file.read(name).to(at::kDouble).reshape(wanted) : at::Tensor();
}

std::optional<std::string> compare_outputs(const File& file, const LayerRows& rows,
                                           const at::Tensor& outputs, const at::Tensor& queries) {
  const auto off = first_off(rows, outputs, rounding_of_outputs(rows, outputs), outputs.size(1));
  if (!off) return std::nullopt;
  // What fits to the last bit, where it does, says more than a rounding that may have been.
  auto fitting = off->is_of_no_key ? std::nullopt : fitting_outputs(rows, outputs);
  if (!fitting) {
    if (const auto bits = rounding_that_explains(rows, outputs)) {
      return remark_on_rounded(rows, outputs, *bits);
    }
  }
  const std::int64_t query =
      queries.defined() ? queries[off->query].item<std::int64_t>() : off->query;
  file.complaint().refuse(BadInput(
      {.kind = BadInputKind::inconsistent,
       .where = safetensors::place(names::z(rows.layer)),
       .expected = fmt::format("the weights times the values, {:.6g} of query {}, head {}, "
                               "number {}",
                               off->made, query, off->head, off->number),
       .found = fmt::format("{:.6g}, more than rounding makes", off->recorded),
       .advice = fitting ? *std::move(fitting) : advice_on(rows, *off)}));
}

}  // namespace attn::gpt2
