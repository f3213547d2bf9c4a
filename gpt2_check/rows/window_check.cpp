#include "gpt2_check/rows/window_check.hpp"

#include <ATen/core/Tensor.h>
#include <fmt/format.h>

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <utility>

#include "gpt2_check/experiments/figures.hpp"
#include "gpt2_check/experiments/statements.hpp"
#include "gpt2_check/parallel/parallel.hpp"
#include "reports/judge/case_record.hpp"
#include "reports/judge/judge.hpp"
#include "reports/judge/statements.hpp"
#include "reports/windows/fold.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/evidence.hpp"

namespace attn::gpt2 {

HeadResult check_head(const LayerRows& layer, std::int64_t index, const CheckSettings& settings,
                      std::span<const Claim* const> claims) {
  // At which the claims are decided.
  const std::vector<double> temperatures = settings.temperatures.empty()
                                               ? std::vector<double>{layer.temperature}
                                               : settings.temperatures;
  HeadResult result;
  const Head head = head_of(layer, index, temperatures.front());
  HeadCheck check(head, settings.stage, claims, settings.lengths);
  MeasureSettings measures = settings.measures;
  if (!layer.v.defined()) measures.selection.counts.clear();  // there is no distance to measure
  result.measures = measure_head(
      head, measures, [&](const RowSelections& row) { check.check(row, temperatures.front()); });
  SelectionSettings others = measures.selection;
  others.draws = 1;
  others.for_claims = true;
  std::erase_if(others.rows,
                [&](std::int64_t row) { return row >= head.queries() || head.tokens(row) < 2; });
  std::mt19937_64 stream = stream_of(settings.measures.seed, head);
  for (std::size_t t = 1; t < temperatures.size(); ++t) {
    for_each_row(head, temperatures[t], others, stream,
                 [&](const RowSelections& row) { check.check(row, temperatures[t]); });
  }
  result.tallies = check.tallies();
  result.pairs = check.pairs();
  const RowKeeper keeper(head);
  result.first_rows = RowMutants::first_rows(keeper);
  result.step_rows = LargestSteps::rows_of(keeper, result.measures.gradient);
  return result;
}

namespace {

/// How many heads each thread has at least, on average, so that it waits little for the others.
constexpr std::int64_t kHeadsOfAThread = 12;

/// What the rows would need of which there were none; empty where there were some.
std::string lacking_rows(const report::ClaimRecord& record) {
  if (record.cases > 0) return {};
  const Claim& claim = find_claim(record.id);
  if (average_of(claim.kind) != Average::none) {
    return "a row with logits that sees all tokens up to its own";
  }
  const bool is_sparse = kernel_of(claim) == nullptr;
  return is_sparse ? "rows of at most 64 tokens with logits" : "rows with logits";
}

std::optional<std::uint64_t> if_any(std::uint64_t count) {
  return count > 0 ? std::optional(count) : std::nullopt;
}

std::optional<std::uint64_t> count(const std::optional<std::int64_t>& number) {
  return number ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

/// What one head shows in the report.
report::HeadRecord record_of(const HeadResult& result) {
  report::HeadRecord record = result.measures.record;
  for (const report::Tally& tally : result.tallies) {
    const report::ClaimRecord& counts = tally.counts();
    record.claims[counts.id] = {.cases = counts.cases,
                                .violated = counts.violated,
                                .assumption_not_met = counts.assumption_not_met,
                                .max_ratio = counts.max_ratio};
  }
  return record;
}

/// What a claim on rows would need that no layer of the input has: "queries and keys", "values";
/// else empty.
std::string_view lacking(const Claim& claim, const ActivationShape& input) {
  const bool reads_keys = has_field(claim.kind, case_field::keys);
  if (reads_keys && !input.any(&LayerShape::has_queries)) return "queries and keys";
  if (reads_keys && !input.any(&LayerShape::has_key_of_each)) return "key of the learned sink";
  return reads_values(claim.kind) && !input.any(&LayerShape::has_values) ? "values" : "";
}

std::optional<report::Stead> stead_of(LogitSource source) {
  switch (source) {
    case LogitSource::scores:
      return report::Stead::scores;
    case LogitSource::weights:
      return report::Stead::weights;
    case LogitSource::queries_and_keys:
      break;
  }
  return std::nullopt;
}

/// Whether what the report says of all layers together says all.
bool is_uniform(const ActivationShape& shape) {
  const auto is_plain = [](const LayerShape& layer) {
    return !layer.has_values() || layer.value_width == layer.head_width();
  };
  return std::ranges::all_of(shape.layers, is_plain) && shape.common(&LayerShape::source) &&
         shape.common(&LayerShape::heads) && shape.common(&LayerShape::key_heads) &&
         shape.common(&LayerShape::queries) && shape.common(&LayerShape::keys) &&
         shape.common(&LayerShape::width) && shape.common(&LayerShape::value_width) &&
         shape.common(&LayerShape::has_sink);
}

report::LayerSizes sizes_of(const LayerShape& layer) {
  const auto number = [](std::int64_t size) { return static_cast<std::uint64_t>(size); };
  const bool has_keys = layer.has_queries() || layer.has_values();
  return {.layer = number(layer.layer),
          .in_place_of_queries = stead_of(layer.source),
          .heads = number(layer.heads),
          .key_heads = has_keys ? std::optional(number(layer.key_heads)) : std::nullopt,
          .queries = number(layer.queries),
          .keys = number(layer.keys),
          .width = if_any(number(layer.width)),
          .value_width = if_any(number(layer.value_width)),
          .learned_sink = layer.has_sink};
}

/// Figures against L and N are of all heads alike: empty where there are some, or no values at all.
std::string why_no_lengths(const ActivationShape& shape, const CheckSettings& settings) {
  if (!settings.measures.lengths.empty() || !shape.any(&LayerShape::has_values)) return {};
  const auto without = std::ranges::find_if_not(shape.layers, &LayerShape::has_values);
  if (without != shape.layers.end()) return fmt::format("layer {} has no values", without->layer);
  return "there is no L so that in every layer and head a row sees the first L tokens, the last of "
         "them its own";
}

/// What the heads of a source show together, joined one after the other in their order.
class AllHeads {
 public:
  /// `settings` must outlive it.
  AllHeads(const CheckSettings& settings, ActivationShape shape)
      : settings_(settings), shape_(std::move(shape)) {
    for (const Claim* const claim : row_claims()) {
      const std::string_view lacks = lacking(*claim, shape_);
      if (lacks.empty()) {
        claims_.push_back(claim);
      } else {
        not_covered_.emplace(claim->id, lacks);
      }
    }
    mutants_ = RowMutants(claims_);
  }

  /// The claims on rows that its source can speak to.
  [[nodiscard]] const std::vector<const Claim*>& claims() const { return claims_; }

  /// Takes a layer, before its heads.
  void begin(const LayerRows& layer) { recorded_.add(layer); }

  /// The next head; `temperature`: the model's own in its layer.
  void join(HeadResult head, double temperature) {
    mutants_.add(head.first_rows.head(), temperature);
    steps_.add(head.step_rows, head.measures.gradient);
    records_.push_back(record_of(head));
    measured_.add(std::move(head.measures));
    if (total_.empty()) {
      total_ = std::move(head.tallies);
      pairs_ = std::move(head.pairs);
    } else {
      for (std::size_t c = 0; c < total_.size(); ++c) total_[c].merge(head.tallies.at(c));
      for (std::size_t p = 0; p < pairs_.size(); ++p) pairs_[p].merge(head.pairs.at(p));
    }
  }

  /// The result of all heads. The number of the window is the caller's.
  report::WindowResult result(const std::string& model) {
    report::WindowResult result;
    result.claims.resize(total_.size());
    std::vector<std::optional<report::WindowComparison>> compared(pairs_.size());
    const std::vector<std::vector<std::size_t>> groups = by_worst_case();
    parallel(std::ssize(groups) + std::ssize(pairs_) + 1, [&](std::int64_t i) {
      const auto g = static_cast<std::size_t>(i);
      if (g == 0) {
        result.measured = measurements(model);
      } else if (g <= groups.size()) {
        SharedCase cases;
        for (const std::size_t c : groups[g - 1]) result.claims[c] = record_of_claim(c, cases);
      } else {
        compared[g - 1 - groups.size()] = pairs_[g - 1 - groups.size()].record();
      }
    });
    for (report::ClaimRecord& record : steps_.records(settings_.stage)) {
      result.claims.push_back(std::move(record));
    }
    for (auto& pair : compared) {
      if (pair) result.comparisons.push_back(*std::move(pair));
    }
    result.by_head = report::lists_by_head(result.measured, measured_.by_head);
    std::erase_if(result.claims, [&](const report::ClaimRecord& record) {
      std::string lacks = lacking_rows(record);
      return !lacks.empty() &&
             result.measured.not_covered.emplace(record.id, std::move(lacks)).second;
    });
    return result;
  }

 private:
  /// The claims by their places, those together whose worst cases are of one kind and place.
  [[nodiscard]] std::vector<std::vector<std::size_t>> by_worst_case() const {
    std::vector<std::vector<std::size_t>> groups;
    std::map<std::pair<InputKind, std::string_view>, std::size_t> group_of;
    for (std::size_t c = 0; c < total_.size(); ++c) {
      const auto [found, is_new] = group_of.emplace(
          std::pair(claims_[c]->kind, place_of(total_[c].kept().worst)), groups.size());
      if (is_new) groups.emplace_back();
      groups[found->second].push_back(c);
    }
    return groups;
  }

  static std::string_view place_of(const std::shared_ptr<const DecidedCase>& worst) {
    return worst ? std::string_view(worst->where) : std::string_view();
  }

  report::ClaimRecord record_of_claim(std::size_t c, SharedCase& cases) {
    KeptCases kept = total_[c].kept();
    prefer_worst(kept, report::kMostNumbers);
    report::ClaimRecord record = total_[c].record(certify(*claims_[c], kept, cases));
    record.mutants = mutants_.records(record.id);
    report::rejudge(record);
    return record;
  }

  report::Measurements measurements(std::string model) {
    const SelectionSettings& selection = settings_.measures.selection;
    report::Measurements measured{.model = std::move(model),
                                  .layers = shape_.layers.size(),
                                  .heads_per_layer = count(shape_.common(&LayerShape::heads)),
                                  .positions = count(shape_.common(&LayerShape::queries)),
                                  .head_width = {},
                                  .rows = selection.rows.size(),
                                  .top_n = {selection.counts.begin(), selection.counts.end()},
                                  .temperatures = settings_.temperatures,
                                  .draws = selection.draws,
                                  .draws_at_lengths = selection.shown_draws,
                                  .not_covered = std::move(not_covered_),
                                  .pattern_difference_by_layer = {},
                                  .figures = figures(measured_),
                                  .abstract = {},
                                  .heads = std::move(records_)};
    const auto source = shape_.common(&LayerShape::source);
    if (source) measured.in_place_of_queries = stead_of(*source);
    measured.key_heads = count(shape_.common(&LayerShape::key_heads));
    if (measured.key_heads == measured.heads_per_layer || measured.key_heads == 0U) {
      measured.key_heads.reset();
    }
    for (const LayerShape& layer : shape_.layers) {
      measured.own_temperatures.push_back(layer.temperature);
    }
    if (shape_.common(&LayerShape::temperature)) measured.own_temperatures.resize(1);
    measured.keys = count(shape_.common(&LayerShape::keys));
    if (measured.keys == measured.positions) measured.keys.reset();
    if (shape_.common(&LayerShape::has_sink).value_or(false)) measured.learned_sink = true;
    if (!is_uniform(shape_)) {
      for (const LayerShape& layer : shape_.layers) {
        measured.layer_sizes.push_back(sizes_of(layer));
      }
    }
    measured.no_lengths = why_no_lengths(shape_, settings_);
    measured.mask = shape_.mask_words;
    compare_patterns(measured);
    measured.padding = if_any(shape_.padding);
    measured.padding_that_sees = if_any(shape_.padding_that_sees);
    measured.rows_left_out = if_any(shape_.rows_left_out);
    measured.zero_weights = if_any(recorded_.zeros);
    measured.zero_rows = if_any(recorded_.zero_rows);
    measured.off_sum_rows = if_any(recorded_.off_sum_rows);
    measured.rows_above_one = if_any(recorded_.rows_above_one);
    measured.farthest_sum = recorded_.farthest_sum;
    const std::int64_t width = shape_.common(&LayerShape::head_width).value_or(0);
    if (width > 0) measured.head_width = static_cast<std::uint64_t>(width);
    measured.abstract =
        paper_statements(measured_.heads, settings_.measures.lengths, measured.figures,
                         is_papers_model(measured.model, std::ssize(shape_.layers),
                                         shape_.common(&LayerShape::heads).value_or(0), width));
    for (report::PaperStatement& entry : measured.abstract) report::put_into_words(entry);
    if (measured.key_heads && measured.heads_per_layer) {
      put_over_key_heads(measured.abstract, *measured.heads_per_layer / *measured.key_heads);
    }
    put_by_head(measured.abstract, measured.heads);
    return measured;
  }

  /// How the recorded patterns compare with the logits beside them.
  void compare_patterns(report::Measurements& measured) const {
    if (settings_.stage != report::Stage::activations) return;
    std::uint64_t unconfirmed = 0, unshown = 0;
    for (const LayerShape& layer : shape_.layers) {
      if (layer.difference) {
        measured.pattern_difference_by_layer.push_back(*layer.difference);
      } else if (layer.source != LogitSource::weights && !layer.has_outputs) {
        ++unconfirmed;
      }
      const bool may_have_outputs = layer.has_values() || layer.source == LogitSource::weights;
      if (may_have_outputs && !layer.has_outputs) ++unshown;
      if (layer.is_contradicted) {
        measured.contradicted_layers.push_back(static_cast<std::uint64_t>(layer.layer));
        if (layer.fitting_temperature) {
          measured.fitting_temperatures[std::to_string(layer.layer)] = *layer.fitting_temperature;
        }
      }
    }
    measured.remarks = shape_.remarks;
    measured.unconfirmed_layers = if_any(unconfirmed);
    if (unconfirmed > 0) measured.checked = shape_.checked;
    if (shape_.checked.empty()) measured.without_outputs = if_any(unshown);
  }

  const CheckSettings& settings_;
  ActivationShape shape_;
  std::vector<const Claim*> claims_;
  std::map<std::string, std::string> not_covered_;  ///< claims left out -> what they would need
  std::vector<report::Tally> total_;
  std::vector<BoundPair> pairs_;
  LargestSteps steps_;
  RowMutants mutants_;  ///< at the model's own temperature, which no option changes
  HeadTable measured_;
  std::vector<report::HeadRecord> records_;
  RecordedWeights recorded_;
};

}  // namespace

report::WindowResult check_window(ActivationSource& source, const CheckSettings& settings,
                                  const Progress& progress) {
  const ActivationShape shape = source.shape();
  AllHeads all(settings, shape);
  std::atomic<std::int64_t> done{0};
  std::vector<LayerRows> layers;
  std::int64_t held = 0;  // heads
  const auto check_layers = [&] {
    std::vector<std::pair<const LayerRows*, std::int64_t>> places;  // of a head each
    for (const LayerRows& layer : layers) {
      for (std::int64_t head = 0; head < layer.heads(); ++head) places.emplace_back(&layer, head);
    }
    std::vector<std::optional<HeadResult>> waiting(places.size());  // for those before
    std::size_t joined = 0;
    std::mutex guard;
    parallel(std::ssize(places), [&](std::int64_t i) {
      const auto& [layer, head] = places[static_cast<std::size_t>(i)];
      HeadResult found = check_head(*layer, head, settings, all.claims());
      progress(++done, shape.heads());
      const std::lock_guard lock(guard);
      waiting[static_cast<std::size_t>(i)] = std::move(found);
      for (; joined < waiting.size() && waiting[joined]; ++joined) {
        all.join(*std::exchange(waiting[joined], std::nullopt), places[joined].first->temperature);
      }
    });
    layers.clear();
    held = 0;
  };
  source.for_each_layer([&](const LayerRows& layer) {
    all.begin(layer);
    layers.push_back(layer);
    layers.back().pattern = {};  // is not read again
    held += layer.heads();
    if (held >= kHeadsOfAThread * threads()) check_layers();
  });
  check_layers();
  return all.result(source.model_name());
}

}  // namespace attn::gpt2
