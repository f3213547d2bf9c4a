#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpt2_check/activations/source.hpp"
#include "gpt2_check/experiments/selection.hpp"
#include "gpt2_check/rows/window_check.hpp"
#include "reports/record/report.hpp"
#include "theory/units/messages.hpp"

namespace attn::gpt2 {

/// Which rows (queries) of every head are checked.
struct RowSelection {
  bool last_only{false};   ///< the last row alone
  std::int64_t stride{1};  ///< else the rows 0, stride, 2 stride, ...
};

/// The windows of a text: consecutive pieces of one length, each a source of its own.
struct TextWindows {
  std::uint64_t count{};        ///< how many windows there are; at least 1
  std::uint64_t tokens_left{};  ///< tokens after the last window
  /// The source of one window, counted from 0.
  std::function<std::unique_ptr<ActivationSource>(std::uint64_t window)> source;
};

/// What `gpt2_check run` was asked for, checked against the input: at least two tokens, every N
/// below the number of tokens and below every length. Empty lists ask for the defaults of `run`.
struct RunOptions {
  std::unique_ptr<ActivationSource> source;  ///< the source, or that of the first window
  std::optional<TextWindows> windows;        ///< where a text is read in windows
  report::Stage stage{report::Stage::gpt2};  ///< gpt2: a model was run; activations: a recording
  std::string input;                         ///< what the report calls the input
  std::filesystem::path out;                 ///< the folder of the report
  std::vector<std::int64_t> lengths;  ///< L: numbers of visible tokens, in 2..positions, ascending
  std::vector<std::int64_t> top_n;    ///< N >= 1, ascending
  std::vector<double> temperatures;   ///< T > 0 for raw logits q.k, ascending
  RowSelection rows;
  report::Precision precision{report::Precision::f32};
  int threads{1};
  std::uint64_t seed{1};
  /// Experiment 6, where it is measured; told how many passes are done, and of how many at most.
  std::function<report::SetSizes(
      const std::function<void(std::uint64_t done, std::uint64_t at_most)>& show)>
      set_sizes;
  std::string text_sha256;    ///< the SHA-256 of the text that was read; empty without one
  std::string tokens_sha256;  ///< the SHA-256 of the ids that a model read; empty for a recording
  /// Which of the windows are checked: every count-th from the index-th on.
  std::optional<report::Shard> shard;
  bool resume{false};   ///< whether to go on with a run over windows that was cut off
  bool verbose{false};  ///< print a line for each claim too
  std::string command;  ///< the command line that runs the same checks, but for --out and --shard
};

/// Checks the claims on the rows of every head, writes the report into `out` and returns the exit
/// code of the contract. Windows are spread over the ranks that run together, of which rank 0
/// writes; their results are kept beside `out` as they come. Throws BadInput, also where there are
/// fewer windows than ranks or shards, and BrokenAssumption.
int run(const RunOptions& options, units::Messages& messages);

}  // namespace attn::gpt2
