// The time of each experiment on a random head of GPT-2's shape beside its floor.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <nlohmann/json.hpp>
#include <thread>

#include "gpt2_check/bench/load.hpp"
#include "gpt2_check/bench/random_head.hpp"
#include "gpt2_check/bench/timed_experiments.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/run_main.hpp"

extern "C" void openblas_set_num_threads(int threads);

namespace attn::gpt2 {
namespace {

using nlohmann::json;

constexpr std::size_t kGpt2Heads = 144;  // 12 layers of 12

struct Options {
  Eigen::Index tokens{1024};
  std::size_t heads{2}, threads{1};
  bool as_json{false};
};

std::vector<Head> random_heads(Eigen::Index tokens, std::size_t count) {
  std::vector<Head> heads;
  for (std::size_t h = 0; h < count; ++h) {
    heads.push_back(random_head(tokens, kHeadWidth, kHeadWidth, 1, h + 1));
  }
  return heads;
}

/// Runs `task` on all heads, `threads` side by side.
void over(const std::vector<Head>& heads, std::size_t threads,
          const std::function<void(const Head&)>& task) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t h = next++; h < heads.size(); h = next++) task(heads[h]);
  };
  std::vector<std::jthread> others;
  for (std::size_t t = 1; t < threads; ++t) others.emplace_back(work);
  work();
}

/// Times everything that the table shows.
class Measurement {
 public:
  explicit Measurement(const Options& options)
      : options_(options),
        experiments_(timed_experiments()),
        heads_(random_heads(options.tokens, options.heads)),
        floor_(watch_, all_work(), options.tokens) {
    for (const TimedExperiment& experiment : experiments_) {
      add(experiment.id, experiment.run);
    }
    add("whole_head", measure_everything);
    watch_.add("tests", [this] { test_every_n(tokens(), kGpt2Heads); });
    watch_.run();
  }

  [[nodiscard]] json result() const {
    json result = {{"tokens", options_.tokens},
                   {"heads", options_.heads},
                   {"threads", options_.threads},
                   {"experiments", json::array()}};
    double seconds = 0;
    double floor = 0;
    for (const TimedExperiment& experiment : experiments_) {
      const json one = record(experiment);
      if (experiment.counts) {
        seconds += one["seconds"].get<double>();
        floor += one["floor"].get<double>();
      }
      result["experiments"].push_back(one);
    }
    const double tests = watch_.seconds("tests");
    const double tests_floor = floor_.seconds(work_of_tests(tokens(), kGpt2Heads));
    const auto all = static_cast<double>(kGpt2Heads);
    result["tests"] = line(fmt::format("3 tests, {} heads", kGpt2Heads), tests, tests_floor);
    result["head"] = line("all five, a head", seconds, floor);
    result["gpt2_124m"] = line(fmt::format("all five, {} heads", kGpt2Heads), all * seconds + tests,
                               all * floor + tests_floor);
    const double whole = per_head("whole_head");
    result["whole_head"] = line("measure_head", whole, floor_.seconds(whole_work()));
    add_rates(result);
    return result;
  }

 private:
  [[nodiscard]] double tokens() const { return static_cast<double>(options_.tokens); }

  void add(const std::string& name, const std::function<void(const Head&)>& task) {
    watch_.add(name, [this, task] { over(heads_, options_.threads, task); });
  }

  /// Seconds that a thread is at work for one head.
  [[nodiscard]] double per_head(const std::string& name) const {
    const std::size_t busy = std::min(options_.threads, heads_.size());
    return watch_.seconds(name) * static_cast<double>(busy) / static_cast<double>(heads_.size());
  }

  static json line(std::string title, double seconds, double floor) {
    return {{"title", std::move(title)},
            {"seconds", seconds},
            {"floor", floor},
            {"ratio", seconds / floor}};
  }

  [[nodiscard]] json record(const TimedExperiment& experiment) const {
    json one =
        line(experiment.title, per_head(experiment.id), floor_.seconds(experiment.work(tokens())));
    one["id"] = experiment.id;
    return one;
  }

  /// Of `measure_everything`: twice the experiments, and nine normalisers swept as in 3.
  [[nodiscard]] Work whole_work() const {
    Work work;
    for (const TimedExperiment& experiment : experiments_) {
      if (experiment.counts) work = work + 2 * experiment.work(tokens());
      if (experiment.id == "critical_n") work = work + 9 * experiment.work(tokens());
    }
    return work;
  }

  [[nodiscard]] std::vector<Work> all_work() const {
    std::vector<Work> all;
    for (const TimedExperiment& experiment : experiments_) all.push_back(experiment.work(tokens()));
    return all;
  }

  void add_rates(json& result) const {
    for (std::size_t i = 0; i < kElementwiseNames.size(); ++i) {
      result["elements_per_second"][kElementwiseNames[i]] =
          floor_.per_second(static_cast<Elementwise>(i));
    }
    const ProductWork pairs = experiments_.front().work(tokens()).products.front();
    result["flops_per_second"] = floor_.flops_per_second(pairs);
  }

  Options options_;
  Stopwatch watch_;
  std::vector<TimedExperiment> experiments_;
  std::vector<Head> heads_;
  Floor floor_;
};

/// Three digits, with a unit.
std::string duration(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} s", seconds);
}

std::string text(const json& result) {
  const auto value = [](const json& one, const char* name) { return one[name].get<double>(); };
  std::string out = fmt::format("{:<26}{:>10}{:>10}{:>8}\n",
                                fmt::format("One head, {} tokens", value(result, "tokens")), "time",
                                "floor", "ratio");
  const auto add = [&](const json& one, const char* mark) {
    out += fmt::format(
        "{:<26}{:>10}{:>10}{:>8.2f}\n", fmt::format("{}{}", one["title"].get<std::string>(), mark),
        duration(value(one, "seconds")), duration(value(one, "floor")), value(one, "ratio"));
  };
  for (const json& one : result["experiments"]) add(one, "");
  add(result["head"], " (a)");
  add(result["whole_head"], " (b)");
  add(result["tests"], "");
  add(result["gpt2_124m"], " (c)");
  out +=
      "\nTimes are of one thread at work for one head: the least of three series.\n"
      "floor: the flops of the matrix products at the rate of one product of the same shape, and\n"
      "  the operations on elements, at the rates below, all measured in this run. 1, 2, 4: "
      "logits\n"
      "  and distances of all pairs, x.s of every set; roots for D, its sharp bound and E; random\n"
      "  sets: sums and a minimum; d1: reads. 3: s.y of the tokens outside every N; roots for D "
      "and\n"
      "  E; tests: the samples read, one count of paths. 5: logits; an exponential and a division\n"
      "  for each token and T.\n"
      "1 and 2 alone take the products of the whole head; in a run they come with 4.\n"
      "(a) 1, 2 and 4 in one pass, 3 and 5.\n"
      "(b) With and without the first token, and with nine normalisers.\n";
  out += fmt::format("(c) Not measured: {} times (a), and the tests; on one thread.\n", kGpt2Heads);
  out += fmt::format(
      "\nIn 1e9 a second: {:.1f} operations of products of pairs of tokens.\n  Elements:",
      value(result, "flops_per_second") * 1e-9);
  for (const auto& [name, rate] : result["elements_per_second"].items()) {
    out += fmt::format(" {} {:.2g},", name, rate.get<double>() * 1e-9);
  }
  out.back() = '.';
  // Every time above may hold what else the machine had to do.
  out += fmt::format("\nThe machine: {}.\n", load_of_machine());
  return out;
}

}  // namespace
}  // namespace attn::gpt2

int main(int argc, char** argv) {
  using namespace attn::gpt2;
  Options options;
  CLI::App app("Times the five experiments beside their floors.", "experiments_bench");
  app.add_option("--tokens", options.tokens, "tokens of a head")
      ->capture_default_str()
      ->check(CLI::Range(16, 4096));
  app.add_option("--heads", options.heads, "how many heads are timed")
      ->capture_default_str()
      ->check(CLI::Range(1, static_cast<int>(kGpt2Heads)));
  app.add_option("--threads", options.threads, "how many heads run side by side")
      ->capture_default_str()
      ->check(CLI::Range(1, 256));
  app.add_flag("--json", options.as_json, "print JSON in place of the table");
  return attn::run_main(app, argc, argv, [&] {
    openblas_set_num_threads(1);  // heads run side by side
    const json result = Measurement(options).result();
    fmt::print("{}", options.as_json ? fmt::format("{}\n", result.dump(2)) : text(result));
    return attn::kAsExpected;
  });
}
