#include "gpt2_check/activations/visible_keys.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "gpt2_check/activations/agreement.hpp"
#include "gpt2_check/activations/contradiction.hpp"
#include "gpt2_check/activations/first_rows.hpp"
#include "gpt2_check/activations/hook_mask.hpp"
#include "gpt2_check/activations/layer_tensors.hpp"
#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/activations/questions.hpp"
#include "gpt2_check/activations/read_rows.hpp"
#include "gpt2_check/activations/remark_words.hpp"
#include "gpt2_check/activations/remarks.hpp"
#include "gpt2_check/activations/rounding.hpp"
#include "gpt2_check/activations/wrong_sizes.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {
namespace {

using enum BadInputKind;
using safetensors::place;

/// What a score is at most where a mask stands in its place: half the least number of float16 in
/// its files, of float32 in others.
double least_score(at::ScalarType type) {
  return type == at::kHalf ? -static_cast<double>(std::numeric_limits<c10::Half>::max()) / 2
                           : -static_cast<double>(std::numeric_limits<float>::max()) / 2;
}

}  // namespace

at::Tensor seen_of_others(const at::Tensor& seen) {
  return seen.clone().fill_diagonal_(false);
}

at::Tensor padding_in(const at::Tensor& seen) {
  const at::Tensor of_others = seen_of_others(seen);
  const at::Tensor alone = seen.diagonal().logical_not().logical_or(of_others.any(1).logical_not());
  return of_others.any(0).logical_not().logical_and(alone);
}

VisibleKeys::VisibleKeys(const safetensors::File& file, const Said& said, const LayerShape& layer,
                         std::size_t index)
    : file_(file),
      layer_(layer),
      below_(said.below),
      bound_(said.bound),
      zeros_(said.zeros),
      are_temperatures_said_(!said.temperatures.empty()) {
  const at::Tensor seen = read_hook_mask(file, layer);
  if (seen.defined() && layer.queries == layer.keys) expect_upright(file, layer, seen);
  hidden_ =
      seen.defined() ? seen.logical_not() : at::zeros({1, layer.queries, layer.keys}, at::kBool);
  is_mask_said_ = seen.defined() || said.masks[index];
  padding_ = said.padding_of(file, layer.keys);
  is_padding_said_ = padding_.defined();
  // That none is padding can be said of any layer.
  const bool is_square = layer.queries == layer.keys;
  if (is_padding_said_ && said.padding->positions.empty() && !is_square) padding_.reset();
  if (auto mask = said.masks[index]) {
    file.complaint().unless(
        mask->full || layer.queries <= layer.keys, inconsistent,
        fmt::format("metadata 'mask' of layer {}", layer.layer),
        "full, or a tensor hook_mask, where there are more queries than keys",
        fmt::format("{}, of {} queries and {} keys", word_of(*mask), layer.queries, layer.keys));
    mask->shift = up_to_own().shift;
    is_full_said_ = mask->full;
    if (seen.defined()) expect_same_mask(file, layer, seen, *mask, padding_);
    hidden_ = hidden_.logical_or(hidden_keys(*mask, layer.queries, layer.keys));
  }
  if (padding_.defined()) {
    file.complaint().unless(
        is_square, unsupported, said.padding->where, "as many queries as keys",
        fmt::format("{} and {} in layer {}", layer.queries, layer.keys, layer.layer),
        "blocks.{i}.attn.hook_mask [query, key] says which keys a query sees");
    hidden_ = hidden_.logical_or(padding_.unsqueeze(0)).logical_or(padding_.unsqueeze(1));
  }
  hidden_ = hidden_.contiguous();
}

std::string VisibleKeys::scores() const {
  return names::scores(layer_.layer);
}

std::string VisibleKeys::pattern() const {
  return names::pattern(layer_.layer);
}

Mask VisibleKeys::up_to_own(std::int64_t window) const {
  return {.window = window, .shift = layer_.keys - layer_.queries};
}

at::Tensor VisibleKeys::recorded(const std::string& name, std::int64_t head) const {
  return file_.read_part(name, head * layer_.queries * layer_.keys, {layer_.queries, layer_.keys});
}

at::Tensor VisibleKeys::square(const std::string& name, std::int64_t head) const {
  return recorded(name, head).to(at::kDouble);
}

at::Tensor VisibleKeys::marked(std::int64_t head, const Reading& reading) const {
  at::Tensor marked = at::zeros({layer_.queries, layer_.keys}, at::kBool);
  if (reading.source == LogitSource::scores || reading.scores_hide) {
    const double least = below_ == Said::Scores::unsaid ? least_score(file_.entry(scores()).dtype)
                         : below_ == Said::Scores::bounded ? bound_
                                                           : -kInfinity;
    marked = square(scores(), head).le(least);
  }
  if (reading.zeros_hide) {
    const at::Tensor numbers = square(pattern(), head);
    marked = marked.logical_or(numbers.eq(0)).logical_or(numbers.isnan());
  }
  return marked;
}

at::Tensor VisibleKeys::seen(const Reading& reading) const {
  const at::Tensor hidden =
      hidden_.logical_or(hidden_keys(reading.mask, layer_.queries, layer_.keys));
  const bool is_marked =
      reading.source == LogitSource::scores || reading.scores_hide || reading.zeros_hide;
  if (!is_marked) return hidden.logical_not();
  at::Tensor of_all, by_head;  // while all are alike, and else
  for (std::int64_t head = 0; head < layer_.heads; ++head) {
    const at::Tensor of_words = square_of(hidden, head);
    const at::Tensor of_head = of_words.logical_or(marked(head, reading)).logical_not();
    if (!of_all.defined()) of_all = of_head;
    if (!by_head.defined() && !of_all.equal(of_head)) {
      by_head = of_all.repeat({layer_.heads, 1, 1});
    }
    if (by_head.defined()) by_head[head].copy_(of_head);
  }
  return by_head.defined() ? by_head : of_all.unsqueeze(0);
}

Evidence VisibleKeys::evidence(const Reading& reading) const {
  const bool are_scores = reading.source == LogitSource::scores;
  const std::string name = are_scores ? scores() : pattern();
  LayerNumbers numbers{.heads = layer_.heads,
                       .queries = layer_.queries,
                       .keys = layer_.keys,
                       .square = [&](std::int64_t head) { return square(name, head); },
                       .marked = [&](std::int64_t head) { return marked(head, reading); },
                       .said = hidden_,
                       .padding = padding_,
                       .is_mask_said = is_mask_said_,
                       .temperature = layer_.temperature,
                       .vanishes_above = rounding_of(file_.entry(name).dtype).vanishes_above()};
  return are_scores ? evidence_of_scores(numbers) : evidence_of_weights(numbers);
}

void VisibleKeys::ask(const Evidence& evidence, const std::string& name) const {
  const std::size_t batch = file_.entry(name).shape.size() - 3;
  const Asked asked{.are_scores = name == scores(),
                    .is_mask_said = is_mask_said_,
                    .is_padding_said = is_padding_said_,
                    .is_full_said = is_full_said_,
                    .are_zeros_said = zeros_ != Said::Zeros::unsaid,
                    .are_zeros_weights = zeros_ == Said::Zeros::weights,
                    .are_all_scores = below_ == Said::Scores::none,
                    .has_pattern = file_.contains(pattern()),
                    .has_sink = file_.contains(names::sink(layer_.layer)),
                    .has_mask = file_.contains(names::mask(layer_.layer)),
                    .has_values = layer_.has_values(),
                    .has_outputs = layer_.has_values() && file_.contains(names::z(layer_.layer)),
                    .are_temperatures_said = are_temperatures_said_,
                    .is_batched = batch > 0,
                    .heads = layer_.heads,
                    .queries = layer_.queries,
                    .keys = layer_.keys,
                    .where = place(name),
                    .at = [batch](std::vector<std::int64_t> place) {
                      place.insert(place.begin(), batch, 0);
                      return fmt::format("[{}]", fmt::join(place, ", "));
                    }};
  if (const auto question = first_question(evidence, asked)) {
    file_.complaint().refuse(BadInput(*question));
  }
}

void VisibleKeys::ask_of_rows() const {
  const std::string q = q_name(file_, layer_.layer), k = k_name(file_, layer_.layer);
  check_rotated_width(file_, layer_.layer);
  const std::string values = names::v(layer_.layer);
  const at::Tensor v = file_.contains(values)
                           ? file_.read(values).to(at::kDouble).reshape(sizes_of(file_, values))
                           : at::Tensor();
  const Evidence found =
      evidence_of_rows(read_rows(file_, q, padding_), read_rows(file_, k, padding_), v);
  ask(found, found.blank && found.blank->of == Evidence::Blank::Of::keys ? k : q);
}

void VisibleKeys::ask_of_values(const Reading& reading) const {
  const std::string v = names::v(layer_.layer);
  const bool is_square = layer_.queries == layer_.keys;
  // A pattern of other queries than the keys weighs what it weighs: a key of no value may be added.
  if (!file_.contains(v) || (!is_square && file_.contains(pattern()))) return;
  const at::Tensor of_all = seen(reading).any(0);
  const at::Tensor tokens = is_square ? padding_in(of_all).logical_not() : of_all.any(0);
  const at::Tensor values = file_.read(v).reshape(sizes_of(file_, v));
  Evidence found = evidence_of_values(values, tokens);
  if (found.blank && file_.contains(pattern())) {
    const at::Tensor blank = values.eq(0).all(2).all(1), others = blank.logical_not();
    for (std::int64_t head = 0; head < layer_.heads; ++head) {
      const at::Tensor weights = square(pattern(), head);
      const at::Tensor of_others = weights.gt(kUnseenWeight).logical_and(others.unsqueeze(1));
      found.blank->is_attended |= of_others.logical_and(blank).any().item<bool>();
    }
  }
  ask(found, v);
}

Reading VisibleKeys::decide_alone(Reading reading) const {
  if (reading.source == LogitSource::queries_and_keys) {
    ask_of_rows();
    if (is_mask_said_) return reading;
    file_.complaint().unless(
        layer_.queries == layer_.keys, inconsistent, fmt::format("layer {}", layer_.layer),
        "a word on what its queries see, which are not as many as its keys",
        fmt::format("{} and {}", layer_.queries, layer_.keys),
        fmt::format(
            "metadata 'mask' ({}) or a tensor hook_mask says it, or a pattern beside q and k "
            "shows it",
            layer_.queries < layer_.keys
                ? fmt::format("full, or causal: its {} queries are the last of {} tokens",
                              layer_.queries, layer_.keys)
                : "full"));
    reading.mask = up_to_own();
    return reading;
  }
  const Evidence found = evidence(reading);
  ask(found, reading.source == LogitSource::scores ? scores() : pattern());
  if (found.hidden_score && !are_temperatures_said_) reading.remarks.emplace_back(kBeforeTheMask);
  if (found.hidden_in_sight && is_full_said_) reading.remarks.emplace_back(kHiddenInSight);
  const bool are_scores = reading.source == LogitSource::scores;
  std::ranges::move(remarks_on_evidence(found, are_scores), std::back_inserter(reading.remarks));
  const bool has_mask = file_.contains(names::mask(layer_.layer));
  if (found.has_scattered_zeros && !has_mask) reading.remarks.emplace_back(kScatteredZeros);
  // Of more queries than keys a number after a query's own key was found, or is hidden.
  const bool can_be_causal = layer_.queries <= layer_.keys;
  if (!is_mask_said_ && !found.hides_later_keys && can_be_causal) reading.mask = up_to_own();
  if (reading.source == LogitSource::weights) remark_on_weights(reading);
  return reading;
}

void VisibleKeys::remark_on_weights(Reading& reading) const {
  const HeadSquares weights{layer_.heads,
                            [&](std::int64_t head) { return recorded(pattern(), head); }};
  const at::Tensor seen = this->seen(reading);
  const auto add = [&](std::optional<std::string> remark) {
    if (remark) reading.remarks.push_back(*std::move(remark));
  };
  const auto& [rows, of_rows] = first_rows(weights, seen);
  std::ranges::move(remarks_on_weights(rows, of_rows), std::back_inserter(reading.remarks));
  if (reading.is_contradicted) return;
  if (file_.contains(names::sink(layer_.layer))) add(remark_on_lost_sinks(weights, seen));
  const bool is_said = zeros_ != Said::Zeros::unsaid || file_.contains(names::mask(layer_.layer));
  auto decimals = remark_on_decimals(weights, seen);
  if (!decimals) add(remark_on_digits(rows, of_rows));
  add(decimals || is_said ? std::move(decimals) : remark_on_far_zeros(weights, seen));
}

std::int64_t VisibleKeys::farthest_back() const {
  const at::Tensor own = at::arange(layer_.queries) + up_to_own().shift;
  std::int64_t farthest = 0;
  for (std::int64_t head = 0; head < layer_.heads; ++head) {
    const at::Tensor weights = square(pattern(), head);
    const at::Tensor seen = square_of(hidden_, head).logical_not();
    const at::Tensor has_weight = weights.gt(0).logical_and(seen);  // NaN has none
    const at::Tensor first = has_weight.to(at::kByte).argmax(-1);
    const at::Tensor back = (own - first).masked_fill(has_weight.any(-1).logical_not(), 0);
    farthest = std::max(farthest, back.max().item<std::int64_t>());
  }
  return farthest;
}

std::vector<Reading> VisibleKeys::candidates() const {
  const Reading full{.source = layer_.source};
  const auto with = [&](const Mask& mask) {
    Reading reading = full;
    reading.mask = mask;
    return reading;
  };
  std::vector<Reading> result;
  const bool is_open = !is_mask_said_ && layer_.queries <= layer_.keys;
  if (is_open) {
    result.push_back(with(up_to_own()));
    const std::int64_t window = farthest_back() + 1;
    if (window >= 2 && window < layer_.keys) result.push_back(with(up_to_own(window)));
  }
  result.push_back(full);
  Reading by_zeros = full;
  by_zeros.zeros_hide = true;
  const bool may_hide = zeros_ == Said::Zeros::unsaid && is_open && are_rows_left(seen(by_zeros));
  if (zeros_ == Said::Zeros::hidden || may_hide) result.push_back(by_zeros);
  return result;
}

bool VisibleKeys::are_rows_left(const at::Tensor& seen) {
  const at::Tensor keys = seen.sum(-1);
  const at::Tensor some = keys.gt(0).sum(-1), several = keys.gt(1).sum(-1);
  return (several * 2 + 1).ge(some).all().item<bool>();
}

Reading VisibleKeys::decide_beside_pattern() const {
  LayerRows rows{.layer = layer_.layer,
                 .temperature = layer_.temperature,
                 .sink = read_hook_sink(file_, layer_)};
  if (layer_.source == LogitSource::scores) {
    ask(evidence({.source = LogitSource::scores}), scores());
    rows.scores = {layer_.heads, [&](std::int64_t head) { return recorded(scores(), head); }};
  } else {
    rows.q = read_rows(file_, q_name(file_, layer_.layer), padding_);
    rows.k = read_rows(file_, k_name(file_, layer_.layer), padding_);
  }
  rows.pattern = {layer_.heads, [&](std::int64_t head) {
                    const at::Tensor weights = recorded(pattern(), head);
                    return zeros_ == Said::Zeros::hidden ? weights.masked_fill(weights.isnan(), 0)
                                                         : weights;
                  }};
  // What no mask makes of a pattern is asked about before it is compared.
  const Reading of_pattern{.source = LogitSource::weights,
                           .zeros_hide = zeros_ == Said::Zeros::hidden,
                           .scores_hide = layer_.source == LogitSource::scores};
  Evidence found = evidence(of_pattern);
  found.later = {};
  found.are_last_keys = {};
  found.common_zeros = {};
  found.zero_row = {};
  found.least_sum = {};
  found.fill = {};
  found.common_weight = {};
  ask(found, pattern());
  std::vector<Compared> compared;
  for (Reading reading : candidates()) {
    rows.seen = seen(reading);
    const Agreement result = agreement(rows);
    compared.push_back({rows.seen, result});
    if (!result.is_explained) continue;
    reading.difference = result.largest;
    if (result.most_shift > 1) reading.remarks.emplace_back(kLoose);
    return reading;
  }
  Reading reading = decide_against_logits();
  reading.difference = compared.front().agreement.largest;
  Contradiction nearby = contradiction(rows, compared);
  reading.fitting_temperature = nearby.fitting_temperature;
  for (std::string& remark : nearby.remarks) reading.remarks.push_back(std::move(remark));
  return reading;
}

/// Decides on the pattern, which contradicts the logits. What the scores beside it hide is hidden,
/// where it has no weight there.
Reading VisibleKeys::decide_against_logits() const {
  Reading reading{.source = LogitSource::weights,
                  .zeros_hide = zeros_ == Said::Zeros::hidden,
                  .is_contradicted = true};
  if (layer_.source == LogitSource::scores) {
    reading.scores_hide = true;
    for (std::int64_t head = 0; head < layer_.heads && reading.scores_hide; ++head) {
      const at::Tensor weights = square(pattern(), head).masked_select(marked(head, reading));
      reading.scores_hide = weights.eq(0).logical_or(weights.isnan()).all().item<bool>();
    }
  }
  return decide_alone(reading);
}

Reading VisibleKeys::decide() const {
  const bool is_weights = layer_.source == LogitSource::weights;
  Reading reading = !is_weights && file_.contains(pattern())
                        ? decide_beside_pattern()
                        : decide_alone({.source = layer_.source,
                                        .zeros_hide = is_weights && zeros_ == Said::Zeros::hidden});
  ask_of_values(reading);
  if (reading.source == LogitSource::scores) {
    const HeadSquares read{layer_.heads,
                           [&](std::int64_t head) { return recorded(scores(), head); }};
    const auto& [rows, of_rows] = first_rows(read, seen(reading));
    if (auto remark = remark_on_scores(rows, of_rows)) {
      reading.remarks.push_back(*std::move(remark));
    }
  }
  std::ranges::move(remarks_on_numbers(file_, layer_), std::back_inserter(reading.remarks));
  return reading;
}

}  // namespace attn::gpt2
