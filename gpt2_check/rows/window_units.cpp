#include "gpt2_check/rows/window_units.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "gpt2_check/parallel/parallel.hpp"
#include "gpt2_check/rows/stage.hpp"
#include "reports/windows/fold.hpp"
#include "reports/windows/window_json.hpp"

namespace attn::gpt2 {

report::WindowResult under_the_name(report::WindowResult result, const ActivationSource& source,
                                    const RunOptions& options) {
  const std::string replay = options.command + " --out DIR";
  for (report::ClaimRecord& record : result.claims) {
    record.input = options.input;
    record.replay = replay;
    for (report::MutantRecord& mutant : record.mutants) mutant.replay = replay;
  }
  for (report::ComparisonRecord& record : result.comparisons) record.input = options.input;
  report::Measurements& measured = result.measured;
  measured.input = options.input;
  measured.model_sha256 = source.sha256();
  measured.text_sha256 = options.text_sha256;
  measured.precision = options.precision;
  measured.tokens_sha256 = options.tokens_sha256;
  return result;
}

WindowUnits::WindowUnits(const RunOptions& options, const CheckPlan& plan,
                         std::vector<std::uint64_t> windows)
    : options_(options), plan_(plan), windows_(std::move(windows)) {}

units::Unit WindowUnits::of(std::uint64_t window) const {
  return {fmt::format("window {}", window + 1), fmt::format("[{}]", window)};
}

units::Unit WindowUnits::of(std::uint64_t window, std::int64_t layer) const {
  return {fmt::format("window {}, layer {}", window + 1, layer),
          fmt::format("[{},{}]", window, layer)};
}

std::vector<units::Unit> WindowUnits::whole() const {
  std::vector<units::Unit> units;
  units.reserve(windows_.size());
  for (const std::uint64_t window : windows_) units.push_back(of(window));
  return units;
}

units::Result WindowUnits::compute(const std::string& input) {
  one_thread();
  const auto place = nlohmann::json::parse(input);
  const auto window = place.at(0).get<std::uint64_t>();
  const auto show = [this](std::int64_t done, std::int64_t all) { show_heads(done, all); };
  if (place.size() > 1) return {layer_text(window, place.at(1), show), false};
  const auto source = options_.windows->source(window);
  return {text_of(window, check_window(*source, plan_of(window), show), *source)};
}

std::optional<std::string> WindowUnits::join(std::uint64_t window, const std::string& text) {
  std::unique_ptr<JoinedLayers>& joined = joined_[window];
  if (!joined) {
    joined = std::make_unique<JoinedLayers>(options_.windows->source(window), plan_of(window));
  }
  joined->add(text);
  if (!joined->is_complete()) return std::nullopt;
  const auto whole = joined_.extract(window);
  return text_of(window, whole.mapped()->result(), whole.mapped()->source());
}

void WindowUnits::show_done(std::uint64_t windows) {
  done_ = windows;
  const ActivationShape shape = options_.source->shape();
  show_heads(0, shape.layers * shape.heads);
}

/// A window draws from a seed of its own, the first from that of the run.
CheckPlan WindowUnits::plan_of(std::uint64_t window) const {
  CheckPlan plan = plan_;
  plan.measures.seed += window;
  return plan;
}

std::string WindowUnits::text_of(std::uint64_t window, report::WindowResult result,
                                 const ActivationSource& source) const {
  const TextWindows& text = *options_.windows;
  result = under_the_name(std::move(result), source, options_);
  report::name_window(result, window + 1, text.first_words(window),
                      {.count = text.count, .tokens_left = text.tokens_left});
  return report::text_of(result);
}

/// Layers come in ascending order, so that a rank reads their window once.
std::string WindowUnits::layer_text(std::uint64_t window, std::int64_t layer,
                                    const Progress& show) {
  if (!open_ || open_->window != window || layer < open_->checks.next_layer()) {
    open_.emplace(window, options_.windows->source(window), plan_of(window));
  }
  return open_->checks.check(layer, show);
}

void WindowUnits::show_heads(std::int64_t done, std::int64_t all) {
  const auto heads = static_cast<std::uint64_t>(all);
  progress_.update("heads", done_ * heads + static_cast<std::uint64_t>(done),
                   windows_.size() * heads);
}

WindowPlan::WindowPlan(WindowUnits& units, const std::vector<std::uint64_t>& windows,
                       std::size_t cut, std::int64_t layers, units::Parts& parts,
                       const units::Plan& in_order)
    : units_(units), parts_(parts), in_order_(in_order) {
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const units::Unit whole = units.of(windows[i]);
    const bool is_cut = i + cut >= windows.size() && !parts.has(whole.name);
    if (!is_cut) waiting_.push_back(whole);
    for (std::int64_t layer = 0; is_cut && layer < layers; ++layer) {
      waiting_.push_back(units.of(windows[i], layer));
      layers_.emplace(waiting_.back().name, Layer{windows[i], layer});
    }
  }
}

units::Plan WindowPlan::plan() {
  return {.next = [this]() -> std::optional<units::Unit> {
            if (begun_ == waiting_.size()) return std::nullopt;
            return waiting_[begun_++];
          },
          .take =
              [this](const units::Unit& unit, std::string text) {
                const auto layer = layers_.find(unit.name);
                if (layer == layers_.end()) {
                  in_order_.take(unit, std::move(text));
                } else {
                  take(layer->second, std::move(text));
                }
              }};
}

void WindowPlan::take(const Layer& layer, std::string text) {
  Early& early = early_[layer.window];
  early.texts.emplace(layer.layer, std::move(text));
  while (const auto next = early.texts.extract(early.joined)) {
    ++early.joined;
    if (auto whole = units_.join(layer.window, next.mapped())) {
      const units::Unit unit = units_.of(layer.window);
      parts_.keep(unit.name, *whole);
      in_order_.take(unit, *std::move(whole));
    }
  }
}

}  // namespace attn::gpt2
