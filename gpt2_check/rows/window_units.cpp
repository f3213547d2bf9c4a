#include "gpt2_check/rows/window_units.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "gpt2_check/parallel/parallel.hpp"
#include "gpt2_check/rows/stage.hpp"
#include "reports/io/report_json.hpp"
#include "reports/windows/fold.hpp"

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

std::vector<units::Unit> WindowUnits::whole() const {
  std::vector<units::Unit> units;
  units.reserve(windows_.size());
  for (const std::uint64_t window : windows_) units.push_back(of(window));
  return units;
}

units::Result WindowUnits::compute(const std::string& input) {
  one_thread();
  const auto window = nlohmann::json::parse(input).at(0).get<std::uint64_t>();
  const auto show = [this](std::int64_t done, std::int64_t all) { show_heads(done, all); };
  const auto source = options_.windows->source(window);
  return {text_of(window, check_window(*source, plan_of(window), show), *source)};
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

void WindowUnits::show_heads(std::int64_t done, std::int64_t all) {
  const auto heads = static_cast<std::uint64_t>(all);
  progress_.update("heads", done_ * heads + static_cast<std::uint64_t>(done),
                   windows_.size() * heads);
}

}  // namespace attn::gpt2
