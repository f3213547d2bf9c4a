// How a run over windows scales: what a window costs by its tokens, the width and the number of its
// heads, what a second rank gives, and what follows for GPT-2 on a book.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <string_view>

#include "gpt2_check/bench/load.hpp"
#include "gpt2_check/bench/scaling_measures.hpp"
#include "gpt2_check/rows/cut_windows.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/run_main.hpp"

namespace attn::gpt2 {
namespace {

struct Options {
  std::int64_t tokens{1024}, windows{12};
  int repetitions{2}, pairs{3};
};

struct Model {
  const char* name;
  double layers, heads;
};
constexpr Model kModels[] = {{"GPT-2 124M", 12, 12}, {"GPT-2 XL", 48, 25}};
constexpr double kContext = 1024, kHeadWidth = 64;  // of both
constexpr std::uint64_t kBook = 800'000;            // tokens of about 600,000 words
constexpr std::uint64_t kRanks[] = {1, 16, 256};

/// Three digits, with a unit.
std::string duration(double seconds) {
  if (seconds < 120) return fmt::format("{:.3g} s", seconds);
  if (seconds < 120 * 60) return fmt::format("{:.3g} min", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{:.3g} h", seconds / 3600);
  return fmt::format("{:.3g} days", seconds / 86400);
}

/// "1.7e-08 H L^2 d + 0.00066 H L + 0.042 d".
std::string formula(const CostModel& model) {
  std::string text;
  for (std::size_t t = 0; t < model.terms.size(); ++t) {
    text +=
        fmt::format("{}{:.3g} {}", t == 0 ? "" : " + ", model.coefficients[t], model.terms[t].name);
  }
  return text;
}

void print_costs(const WindowCosts& costs, const CostModel& seconds, const CostModel& bytes) {
  fmt::print("{:>6}{:>5}{:>4}{:>11}{:>11}{:>9}{:>11}{:>9}\n", "L", "d", "H", "seconds", "model",
             "off by", "bytes", "off by");
  for (std::size_t i = 0; i < costs.seconds.size(); ++i) {
    const auto& [shape, measured] = costs.seconds[i];
    const double sent = costs.bytes[i].cost;
    fmt::print("{:>6}{:>5}{:>4}{:>11.3f}{:>11.3f}{:>8.0f}%{:>11}{:>8.0f}%\n", shape.tokens,
               shape.head_width, shape.heads, measured, seconds.of(shape),
               100 * (seconds.of(shape) / measured - 1), sent, 100 * (bytes.of(shape) / sent - 1));
  }
  fmt::print("\nSeconds of CPU a window: {}; off by {:.0f}% at most.\n", formula(seconds),
             100 * seconds.worst_error(costs.seconds));
  fmt::print("Bytes of its result: {}; off by {:.0f}% at most.\n", formula(bytes),
             100 * bytes.worst_error(costs.bytes));
  fmt::print(
      "Rank 0 reads and folds {:.0f} MB of results a second. A run starts in {:.2g} s of CPU.\n",
      1e-6 / costs.fold_seconds_of_byte, costs.start_seconds);
}

/// Of a window that the coefficients do not come from.
void print_prose(const BenchRuns& runs, const WindowCosts& costs, const CostModel& seconds,
                 const Options& options) {
  const double measured = runs.of_prose(options.tokens).cpu_seconds - costs.start_seconds;
  const WindowShape shape{static_cast<double>(options.tokens), 16, 48};
  fmt::print(
      "The embedded model, trained, on {} tokens of prose, 48 heads of 16: {:.1f} s measured, "
      "{:.1f} s by the model.\n",
      options.tokens, measured, seconds.of(shape));
}

void print_layer(const LayerTimes& layer) {
  fmt::print(
      "A layer of {} heads of {} on {} tokens: checked in {:.3g} s of CPU, joined by rank 0, from "
      "{:.0f} MB, "
      "in {:.2g} s: 1/{:.0f} of it (reckoned with: 1/{:.0f}).\n",
      layer.input.heads, layer.input.head_width, layer.input.tokens, layer.check_seconds,
      1e-6 * layer.bytes, layer.join_seconds, layer.check_seconds / layer.join_seconds,
      kChecksPerJoin);
}

void print_ranks(const RankTimes& ranks, const std::string& load_before) {
  const auto& [tokens, width, heads, windows] = ranks.input;
  fmt::print("{} windows of {} tokens, {} heads of {}, under mpirun, one thread a rank, in turn:\n",
             windows, tokens, heads, width);
  for (std::size_t p = 0; p < ranks.one.size(); ++p) {
    const ProgramRun& one = ranks.one[p];
    const ProgramRun& two = ranks.two[p];
    fmt::print(
        "  1 rank {:.1f} s ({:.1f} s of CPU), 2 ranks {:.1f} s ({:.1f} s): efficiency {:.2f}\n",
        one.wall_seconds, one.cpu_seconds, two.wall_seconds, two.cpu_seconds,
        one.wall_seconds / (2 * two.wall_seconds));
  }
  fmt::print("  by the least of each: efficiency {:.2f}, by CPU time alone {:.2f}\n",
             ranks.efficiency(), ranks.share_of_work());
  fmt::print("  the shortest run: {:.2f} s alone, {:.2f} s as a rank\n", ranks.alone,
             ranks.launched);
  fmt::print("  the machine before: {}\n\n", load_before);
}

void print_book(const WindowCosts& costs, const CostModel& seconds, const CostModel& bytes) {
  fmt::print("\n{} tokens in windows of {}:\n", kBook, kContext);
  fmt::print("{:<12}{:>9}{:>10}{:>9}", "", "windows", "a window", "sent");
  for (const std::uint64_t ranks : kRanks)
    fmt::print("{:>20}", fmt::format("{} rank{}", ranks, ranks == 1 ? "" : "s"));
  fmt::print("\n");
  for (const Model& model : kModels) {
    const WindowShape shape{kContext, kHeadWidth, model.layers * model.heads};
    const RunCost run{.window_seconds = seconds.of(shape),
                      .fold_seconds = costs.fold_seconds_of_byte * bytes.of(shape),
                      .windows = kBook / static_cast<std::uint64_t>(kContext),
                      .layers = static_cast<std::int64_t>(model.layers)};
    fmt::print("{:<12}{:>9}{:>10}{:>9}", model.name, run.windows, duration(run.window_seconds),
               fmt::format("{:.0f} MB", 1e-6 * bytes.of(shape)));
    for (const std::uint64_t ranks : kRanks) {
      fmt::print("{:>20}", fmt::format("{} ({:.0f}%)", duration(run.seconds(ranks)),
                                       100 * run.efficiency(ranks)));
    }
    fmt::print("\n");
  }
  fmt::print(
      "sent: the result of a window, by the ranks from 1 on. In brackets: efficiency.\n"
      "Assumed: cores as this one, each with a rank of one thread, and no wait for the\n"
      "network. Windows that are left when each rank has had as many are cut into layers where\n"
      "that saves time; else some ranks wait for the last ones. What rank 0 does for all\n"
      "windows comes on top. Without the start and the pages.\n");
}

}  // namespace
}  // namespace attn::gpt2

int main(int argc, char** argv) {
  using namespace attn::gpt2;
  Options options;
  CLI::App app("Measures what a window costs and what ranks give; says what follows for a book.",
               "scaling_bench");
  app.add_option("--tokens", options.tokens, "tokens of the longest window")
      ->capture_default_str()
      ->check(CLI::Range(16, 1024));
  app.add_option("--repetitions", options.repetitions, "runs of each window; the least time counts")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  app.add_option("--windows", options.windows, "windows that ranks share")
      ->capture_default_str()
      ->check(CLI::Range(2, 1000));
  app.add_option("--pairs", options.pairs, "runs of one rank and of two")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  return attn::run_main(app, argc, argv, [&] {
    const BenchRuns runs;
    if (std::string_view(ATTN_MPIRUN).empty()) {
      fmt::print("Built without MPI: ranks are not measured.\n\n");
    } else {
      const std::string load_before = load_of_machine();
      const RandomInput input{options.tokens / 4, 64, 4, options.windows};
      print_ranks(measure_ranks(runs, input, options.pairs), load_before);
    }
    std::fflush(stdout);  // the windows take minutes
    const WindowCosts costs = measure_windows(runs, options.tokens, options.repetitions);
    const CostModel seconds = fit({kPairs, kRows, kWidth}, costs.seconds);
    const CostModel bytes = fit({kCases, kHeads, kWindow}, costs.bytes);
    print_costs(costs, seconds, bytes);
    print_prose(runs, costs, seconds, options);
    print_layer(measure_layer({options.tokens, 64, 12}));
    print_book(costs, seconds, bytes);
    return attn::kAsExpected;
  });
}
