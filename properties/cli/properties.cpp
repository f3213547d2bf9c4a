// `properties`: searches every claim of the catalogue for violations, on exact generated cases.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "properties/search/search.hpp"
#include "reports/judge.hpp"
#include "reports/provenance.hpp"
#include "reports/report_json.hpp"
#include "theory/bad_input.hpp"
#include "theory/catalogue.hpp"
#include "theory/cli/run_main.hpp"

namespace attn::properties {

namespace {

/// The claims of these ids, in the catalogue's order; all of them where none is named.
std::vector<Claim> chosen_claims(const std::vector<std::string>& ids) {
  for (const std::string& id : ids) find_claim(id);  // throws BadInput for an id that is not there
  std::vector<Claim> claims;
  for (const Claim& claim : catalogue()) {
    if (ids.empty() || std::find(ids.begin(), ids.end(), claim.id) != ids.end()) {
      claims.push_back(claim);
    }
  }
  return claims;
}

int list() {
  for (const Claim& claim : catalogue()) {
    const Property& property = property_of(claim);
    fmt::print(
        "{} ({})\n  given:      {}\n  hypotheses: {}\n  claim:      {}\n  families:  ", claim.id,
        to_string(claim.status), property.given, property.hypotheses, claim.statement);
    for (const Family& family : families_of(given(claim, property))) fmt::print(" {}", family.name);
    fmt::print("\n");
  }
  return kAsExpected;
}

/// `[3/15] theorem2.lower` on one line of stderr; silent where stderr is not a terminal.
class Progress {
 public:
  explicit Progress(std::size_t total) : total_(total), visible_(isatty(STDERR_FILENO) == 1) {}
  ~Progress() {
    if (visible_) fmt::print(stderr, "\r\033[K");
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void finished(const SearchResult& result) {
    ++done_;
    if (visible_) fmt::print(stderr, "\r\033[K[{}/{}] {}", done_, total_, result.record.id);
  }

 private:
  std::size_t total_;
  std::size_t done_{0};
  bool visible_;
};

std::string cell(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:.6g}", *ratio) : "-";
}

/// A kept case: where it came from, the enclosures of both sides, and how to recheck it.
void print_case(const std::string& id, const std::string& what, const report::CaseRecord& kept) {
  const nlohmann::json cases = {{{"claim", id}, {"case", kept.input}}};
  fmt::print("  {} ({})\n  lhs in [{}, {}]\n  rhs in [{}, {}]\n", what, kept.where, kept.lhs_lower,
             kept.lhs_upper, kept.rhs_lower, kept.rhs_upper);
  fmt::print("  recheck: echo '{}' | claims eval -\n", cases.dump());
}

void print(const SearchResult& result) {
  const report::ClaimRecord& record = result.record;
  if (!result.failure.empty()) {
    fmt::print("{:<32} failed: {}\n  replay: {}\n", record.id, result.failure, record.replay);
    return;
  }
  fmt::print(
      "{:<32} {:<8} {:<12} cases {:>7}  holds {:>7}  equal {:>6}  violated {:>6}  undecided {:>4}  "
      "max ratio {:<10}  seed {}\n",
      record.id, record.status, record.outcome, record.cases, record.holds, record.equal,
      record.violated, record.undecided, cell(record.max_ratio), record.seed);
  if (record.smallest_witness) {
    print_case(record.id, "violated, shrunk by " + result.shrinking, *record.smallest_witness);
  }
  if (record.first_undecided) print_case(record.id, "undecided", *record.first_undecided);
  if (record.outcome != report::to_string(report::Outcome::as_expected)) {
    fmt::print("  replay: {}\n", record.replay);
  }
}

void check_folder_of(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder)) {
    throw BadInput(fmt::format("--out {}: there is no folder {}; make it first", file.string(),
                               folder.string()));
  }
}

int search_and_report(const std::vector<Claim>& claims, const Run& run,
                      const std::optional<std::filesystem::path>& out) {
  if (out) check_folder_of(*out);
  const auto start = std::chrono::steady_clock::now();
  report::Report report;
  report.provenance =
      report::collect_provenance(run.seed, std::string(to_string(run.effort)), run.threads);
  fmt::print("run seed {}, effort {}, {} claims, {} threads\n", run.seed, to_string(run.effort),
             claims.size(), run.threads);

  std::vector<SearchResult> results;
  {
    Progress progress(claims.size());
    results = search_all(claims, run, [&](const SearchResult& r) { progress.finished(r); });
  }
  bool failed = false;
  for (const SearchResult& result : results) {
    print(result);
    failed = failed || !result.failure.empty();
    report.claims.push_back(result.record);
  }
  // A claim without a verdict has no place in a report: the error is ours, not the paper's.
  if (failed) return kInternal;
  report.provenance.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (out) report::write_report(*out, report);
  return report::exit_code(report);
}

}  // namespace

}  // namespace attn::properties

int main(int argc, char** argv) {
  using namespace attn::properties;
  CLI::App app("Searches every claim for violations, on exact generated cases", "properties");
  std::string effort = "standard";
  std::uint64_t seed = 1;
  std::vector<std::string> ids;
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  std::optional<std::filesystem::path> out;
  bool only_list = false;
  app.add_option("--effort", effort, "how many cases: quick, standard or thorough")
      ->capture_default_str();
  app.add_option("--seed", seed, "seed of the run; each claim's is derived from it")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--claim", ids, "only these claims (default: all)");
  app.add_option("--threads", threads, "claims searched at a time; changes no result")
      ->check(CLI::Range(1U, 1024U))
      ->capture_default_str();
  app.add_option("--out", out, "write the records to this report.json");
  app.add_flag("--list", only_list, "print each property and its input families, run nothing");
  return attn::run_main(app, argc, argv, [&] {
    if (only_list) return list();
    return search_and_report(chosen_claims(ids), {seed, effort_from(effort), threads}, out);
  });
}
