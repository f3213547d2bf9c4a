#include "gpt2_check/activations/fitting_outputs.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/tensor.h>
#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

#include "gpt2_check/activations/outputs.hpp"
#include "gpt2_check/activations/softmax_rows.hpp"

namespace attn::gpt2 {
namespace {

/// A layer as it may have been meant.
struct Meant {
  LayerRows rows;
  std::string words;  ///< what settles it
};

/// The longest window in which the last query of the first head makes its outputs, before others
/// are tried; 0 where there is none shorter than all keys.
std::int64_t window_of(const LayerRows& rows, const at::Tensor& outputs) {
  const std::int64_t queries = outputs.size(0), keys = rows.v.size(0);
  LayerRows last = rows;
  last.q = rows.q.slice(0, queries - 1);
  last.seen = at::Tensor();
  const at::Tensor of_last = outputs.slice(0, queries - 1);
  const Rounding& rounding = rounding_of_outputs(rows, outputs);
  for (std::int64_t window = keys - 1; window >= 2; --window) {
    last.mask = {.window = window, .shift = keys - 1};
    if (!first_off(last, of_last, rounding, 1)) return window;
  }
  return 0;
}

/// The layer under other masks than its own, its own first.
std::vector<Meant> under_masks(const LayerRows& rows, const at::Tensor& outputs) {
  std::vector<Meant> all{{rows, ""}};
  if (!rows.q.defined()) return all;  // hidden scores are not kept
  const std::int64_t queries = outputs.size(0), keys = rows.v.size(0), shift = keys - queries;
  const auto add = [&](const Mask& mask, std::string words) {
    LayerRows other = rows;
    other.mask = mask;
    other.seen = at::Tensor();
    all.push_back({std::move(other), std::move(words)});
  };
  add({.full = true}, "the metadata `mask`: `full`");
  if (shift >= 0) add({.shift = shift}, "the metadata `mask`: `causal`");
  if (shift > 0) add({.shift = 0}, "its queries as the first of the keys: leave out the others");
  if (const std::int64_t window = shift >= 0 ? window_of(rows, outputs) : 0; window > 0) {
    add({.window = window, .shift = shift},
        fmt::format("the metadata `mask`: `window:{}`", window));
  }
  return all;
}

/// The layer, of so many heads of queries, at other T than its own, its own first.
std::vector<Meant> at_temperatures(const Meant& meant, std::int64_t heads) {
  std::vector<Meant> all{meant};
  const LayerRows& rows = meant.rows;
  const auto width = static_cast<double>(rows.q.defined() ? rows.q.size(2) : rows.v.size(2));
  const double of_all = width * static_cast<double>(heads);  // the width of the model
  for (const double temperature : {1.0, std::sqrt(width), 1 / std::sqrt(width), width,
                                   std::sqrt(width / 2), std::sqrt(2 * width), std::sqrt(of_all)}) {
    if (temperature == rows.temperature) continue;
    Meant other = meant;
    other.rows.temperature = temperature;
    other.words += fmt::format("{}the metadata `temperatures` of {:.17g}",
                               meant.words.empty() ? "" : " and ", temperature);
    all.push_back(std::move(other));
  }
  return all;
}

/// The layer with head h of the queries reading head h mod G of G heads of keys and values.
std::optional<Meant> tiled(LayerRows rows, std::int64_t heads) {
  const std::int64_t key_heads = rows.v.size(1);
  if (key_heads == 1 || key_heads == heads) return std::nullopt;
  const auto tile = [&](const at::Tensor& of) { return of.repeat({1, heads / key_heads, 1}); };
  rows.v = tile(rows.v);
  if (rows.k.defined()) rows.k = tile(rows.k);
  return Meant{std::move(rows),
               fmt::format("head h of the queries reading head h mod {} of keys and values: record "
                           "these with .repeat(1, {}, 1)",
                           key_heads, heads / key_heads)};
}

/// The layer whose logits l, by T, are c tanh(l/c).
LayerRows capped(LayerRows rows, std::int64_t heads, double cap) {
  const LayerRows before = rows;
  rows.scores = {
      heads, [before, cap](std::int64_t head) {
        const LogitHead logits(before, head);
        const std::int64_t queries =
            logits.scores.defined() ? logits.scores.size(0) : before.q.size(0);
        return at::tanh(logits_of(logits, 0, queries, rounding_of(at::kDouble)).values / cap) * cap;
      }};
  rows.q = rows.k = at::Tensor();
  rows.temperature = 1;
  return rows;
}

/// The number c of a softcap, as models have it, under which the layer makes its outputs.
std::optional<std::string> fitting_softcap(const LayerRows& rows, const at::Tensor& outputs) {
  constexpr double kOfSums = 16;  // steps: those of a product of many numbers are not all counted
  if (rows.recorded_weights().defined()) return std::nullopt;
  Rounding rounding = rounding_of_outputs(rows, outputs);
  rounding.relative += kOfSums * rounding_of_steps(rounding);
  for (const double cap : {50.0, 30.0, 20.0}) {
    const LayerRows meant = capped(rows, outputs.size(1), cap);
    if (first_off(meant, outputs, rounding, 1)) continue;  // the first head tells mostly
    if (first_off(meant, outputs, rounding, outputs.size(1))) continue;
    return fmt::format(
        "it is that with a softcap of {} of the logits: record hook_attn_scores after it, or "
        "hook_pattern",
        cap);
  }
  return std::nullopt;
}

/// By what the outputs are multiplied, in all heads or in each.
std::optional<std::string> fitting_factors(const LayerRows& rows, const at::Tensor& outputs) {
  const std::vector<double> factors = factors_of(rows, outputs);
  const auto fit = [&](const at::Tensor& by) {
    return by.isfinite().logical_and(by.ne(0)).all().item<bool>() &&
           !first_off(rows, outputs / by, rounding_of_outputs(rows, outputs), outputs.size(1));
  };
  const at::Tensor of_heads = at::tensor(factors, at::kDouble).unsqueeze(1);
  if (fit(of_heads[0])) {
    return fmt::format("it is {:.6g} times that everywhere: record both as the model computed them",
                       factors[0]);
  }
  if (fit(of_heads)) {
    return fmt::format(
        "it is {:.6g} times that in head 0, and another multiple in others: record both as the "
        "model computed them",
        factors[0]);
  }
  if (outputs.size(2) < 2) return std::nullopt;  // each is a multiple
  const at::Tensor of_rows = factors_of_rows(rows, outputs);
  const bool are_parts = of_rows.le(1).all().item<bool>();
  if (!are_parts || rows.sink.defined() || !fit(of_rows.unsqueeze(2))) return std::nullopt;
  return "it is that times a number below 1 of each row and head, as a learned sink or a gate "
         "makes it: record the logit of the sink as hook_sink [head], or what comes before the "
         "gate";
}

}  // namespace

std::optional<std::string> fitting_outputs(const LayerRows& rows, const at::Tensor& outputs) {
  const std::int64_t heads = outputs.size(1);
  const Rounding& rounding = rounding_of_outputs(rows, outputs);
  const auto fits = [&](const LayerRows& meant) {
    return !first_off(meant, outputs, rounding, 1) && !first_off(meant, outputs, rounding, heads);
  };
  std::vector<Meant> all;
  if (!rows.recorded_weights().defined()) {
    for (const Meant& masked : under_masks(rows, outputs)) {
      for (Meant& meant : at_temperatures(masked, heads)) all.push_back(std::move(meant));
    }
  }
  if (auto meant = tiled(rows, heads)) all.push_back(std::move(*meant));
  for (const Meant& meant : all) {
    if (!meant.words.empty() && fits(meant.rows)) {
      return fmt::format("it is that with {}", meant.words);
    }
  }
  if (auto softcap = fitting_softcap(rows, outputs)) return softcap;
  return fitting_factors(rows, outputs);
}

}  // namespace attn::gpt2
