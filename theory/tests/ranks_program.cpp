// `ranks_program`: adds up the squares of 0, 1, .., as the programs of the project spread their
// work. For the tests of run_ranks_main.
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>

#include "theory/base/atomic_file.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/flags.hpp"
#include "theory/base/launched.hpp"
#include "theory/base/progress.hpp"
#include "theory/units/ranks.hpp"
#include "theory/units/team.hpp"

namespace attn::units {

namespace {

struct Options {
  std::size_t units{10};
  std::filesystem::path out;
  bool resume{false};
  std::string other_input;  ///< the rank that reads other input
  std::string refuses;      ///< the rank that lacks a file
  std::string fails;        ///< the unit that fails
  std::string dies;         ///< the rank that is killed in its first unit
};

Result squared(const std::string& input, const Options& options) {
  if (input == options.fails) throw std::runtime_error("unit " + input + " failed");
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const auto number = std::stoull(input);
  return {fmt::format("{}", number * number)};
}

int run(const Options& options, const CLI::App& app, Messages& messages) {
  const std::string rank = fmt::format("{}", messages.rank());
  if (rank == options.refuses) throw BadInput({.kind = BadInputKind::missing, .where = "a file"});
  Identity identity = identity_of(command_given(app));
  identity["input"] = rank == options.other_input ? "other" : "usual";
  Team team(messages, 2, identity);
  ProgressLine line;
  std::atomic<std::uint64_t> begun{0};
  const Compute compute = [&](const std::string& input) {
    if (rank == options.dies) std::raise(SIGKILL);
    line.update("squares of rank " + rank, ++begun, options.units);
    return squared(input, options);
  };
  fmt::print("{} ranks{}\n", messages.count(),
             is_at_terminal(STDOUT_FILENO) ? " at a terminal" : "");
  if (!team.leads()) {
    team.follow(compute);
    return kAsExpected;
  }
  ResultJournal parts(options.out, identity, options.resume);
  std::vector<Unit> units;
  for (std::size_t i = 0; i < options.units; ++i) {
    units.push_back({fmt::format("unit {}", i), fmt::format("{}", i)});
  }
  std::string all;
  InOrder in_order(std::move(units), parts,
                   [&](std::size_t, const std::string& text) { all += text + "\n"; });
  team.lead(in_order.plan(), parts, compute);
  write_file(options.out, all);
  parts.remove();
  return kAsExpected;
}

}  // namespace

}  // namespace attn::units

int main(int argc, char** argv) {
  using namespace attn;
  units::Options options;
  const auto line = command_line("Adds up squares", "ranks_program");
  CLI::App& app = *line;
  add_value(
      app, "--units", options.units,
      [](const std::string& word) { return whole_number<std::size_t>(word); }, "how many");
  add_option(app, "--out", options.out, "the file to write").group(kChangesNoResult).required();
  add_switch(app, "--resume", options.resume, "go on").group(kChangesNoResult);
  add_option(app, "--other-input", options.other_input, "rank").group(kChangesNoResult);
  add_option(app, "--refuses", options.refuses, "rank").group(kChangesNoResult);
  add_option(app, "--fails", options.fails, "unit").group(kChangesNoResult);
  add_option(app, "--dies", options.dies, "rank").group(kChangesNoResult);
  return units::run_ranks_main(app, argc, argv, [&](units::Messages& messages) {
    return units::run(options, app, messages);
  });
}
