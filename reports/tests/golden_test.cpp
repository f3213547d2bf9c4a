#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "reports/html/page.hpp"
#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "reports/pages/render.hpp"
#include "reports/tests/sample_report.hpp"
#include "reports/text/console.hpp"
#include "reports/windows/fold.hpp"
#include "theory/base/atomic_file.hpp"

namespace attn::report {
namespace {

namespace fs = std::filesystem;

const fs::path kGolden = ATTN_GOLDEN_FOLDER;

/// Claims enough for every kind of section, and few enough for golden files that a person can read.
const std::set<std::string> kClaims = {
    "lemma1.lower",     "lemma1.lower.sharp", "corollary1.lower",
    "corollary1.upper", "theorem1.fixed",     "theorem1.fixed.any_set",
    "lemma2",           "corollary3",         "corollary3.sharp"};

/// Leaves those claims, and what compares them.
Report shortened(Report report) {
  std::erase_if(report.claims, [](const auto& record) { return !kClaims.contains(record.id); });
  std::erase_if(report.comparisons,
                [](const auto& record) { return !kClaims.contains(record.sharp); });
  report.normalizers.resize(3);
  return report;
}

/// The sample report as one build at one time would have made it.
Report dated_report() {
  Report report = sample_report();
  RunInfo& from = report.provenance;
  from.version = "1.2.3";
  from.commit = "0123456789abcdef0123456789abcdef01234567";
  from.dirty = false;
  from.compiler = "GNU 12.2.0";
  from.flags = "-O3 -Wall";
  from.libraries = {{"mpfi", "1.5.3"}, {"mpfr", "4.2.0"}};
  from.started = "2025-01-31T12:00:00Z";
  return report;
}

/// The report of dated_report() without its inputs, and with every kind of thing gone wrong.
Report failing_report() {
  Report report = dated_report();
  report.inputs.clear();
  report.provenance.model.name = "a \"model\" & <more>";
  std::erase_if(report.claims, [](const ClaimRecord& record) {
    return record.id == "lemma2" && record.stage == Stage::gpt2;
  });
  for (ClaimRecord& record : report.claims) {
    if (record.id == "theorem1.fixed" && record.stage == Stage::gpt2) {
      record.violated = record.cases;
      record.holds = record.equal = 0;
      record.max_ratio = 1.25;
      record.ratio_histogram.assign(kRatioBins, 0);
      record.ratio_histogram.push_back(record.cases);
      record.worst->verdict = Verdict::violated;
      record.smallest_witness = record.worst;
    }
    if (record.stage != Stage::synthetic) continue;
    if (record.id == "corollary1.lower") {
      record.cases += 2;
      record.undecided += 2;
      record.first_undecided = record.worst;
    }
    if (record.id == "corollary1.upper") record.mutants[1].caught = false;
    if (record.id == "lemma1.lower") {
      record.classes[1].covered = false;
      record.classes[1].least_share = 0.25;
    }
  }
  for (ClaimRecord& record : report.claims) rejudge(record);
  complete(report);
  return report;
}

/// What one of two windows of the text of dated_report() shows: each number of a head as many times
/// as large as the window's number.
WindowResult window_of(const Report& report, std::uint64_t number) {
  WindowResult window{.window = number};
  std::ranges::copy_if(report.claims, std::back_inserter(window.claims),
                       [](const auto& record) { return record.stage == Stage::gpt2; });
  window.measured = report.inputs.front();
  const std::size_t heads = window.measured.heads.size();
  ByColumn<std::vector<double>> by_head;
  for_each_column(window.measured.figures, [&](const ColumnName& name, MaybeSpread& spread) {
    for (std::size_t head = 1; spread && head <= heads; ++head) {
      by_head[name].push_back(spread->mean * static_cast<double>(head * number));
    }
  });
  window.measured.abstract.clear();
  window.by_head = lists_by_head(window.measured, by_head);
  name_window(window, number, {.count = 2, .tokens_left = 5});
  return window;
}

/// The report of dated_report() over two windows of its text.
Report report_of_windows() {
  Report report = shortened(dated_report());
  WindowFold fold(4);
  for (const std::uint64_t number : {1, 2}) fold.add(window_of(report, number));
  const Report windows = fold.report();
  for (ClaimRecord& record : report.claims) {
    const auto same = std::ranges::find(windows.claims, record.id, &ClaimRecord::id);
    if (record.stage == Stage::gpt2 && same != windows.claims.end()) record = *same;
  }
  report.inputs = windows.inputs;
  return report;
}

/// The report of dated_report() of an input of which little was recorded: no figure has a point,
/// and no statement a number.
Report report_of_little() {
  Report report = shortened(dated_report());
  Measurements& measured = report.inputs.front();
  measured.figures = {};
  measured.set_sizes = {};
  measured.heads.clear();
  for (PaperStatement& statement : measured.abstract) {
    PaperStatement none;
    none.id = statement.id;
    none.says = statement.says;
    none.judged = statement.judged;
    none.why_not = "no row of it sees the first tokens alone, with their values";
    statement = none;
  }
  return report;
}

/// What is kept of all that is written and printed of a report: a page of each kind, and what else
/// a person can read.
std::map<std::string, std::string> kept_of(const Report& report,
                                           const std::set<std::string>& names) {
  std::map<std::string, std::string> files = rendered_files(report);
  std::erase_if(files, [&](const auto& file) { return !names.contains(file.first); });
  // Of every page: it is kept once.
  for (auto& [name, text] : files) {
    if (name.ends_with(".html")) boost::algorithm::replace_first(text, style_sheet(), "");
  }
  files["report.json"] = to_json(report).dump(1) + "\n";
  files["console.txt"] = console_text(report, false, "report/index.html");
  files["console.verbose.txt"] =
      console_tables(report, true) + console_text(report, true, "report/index.html");
  return files;
}

/// The files below a folder by their names relative to it.
std::map<std::string, std::string> files_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    files[entry.path().lexically_relative(folder).generic_string()] = read_file(entry.path());
  }
  return files;
}

/// What surrounds a byte of a text, in its line.
std::string around(const std::string& text, std::size_t at) {
  const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  const std::size_t from = std::max(begin, at < 40 ? 0 : at - 40);
  return text.substr(from, std::min<std::size_t>(text.find('\n', at), from + 120) - from);
}

/// Expects that these files and no others are in the folder, byte for byte; where the environment
/// says ATTN_ACCEPT=1 they are put there.
void compare(const fs::path& folder, const std::map<std::string, std::string>& files) {
  const char* const wish = std::getenv("ATTN_ACCEPT");
  if (wish != nullptr && std::string_view(wish) == "1") {
    fs::remove_all(folder);
    write_folder(folder, files);
    GTEST_SKIP() << "ATTN_ACCEPT=1: accepted what is written now, compared nothing";
  }
  std::map<std::string, std::string> accepted = files_in(folder);
  for (const auto& [name, written] : files) {
    const std::string was = accepted.contains(name) ? accepted[name] : "no such file";
    accepted.erase(name);
    if (was == written) continue;
    const auto at = static_cast<std::size_t>(std::ranges::mismatch(was, written).in1 - was.begin());
    ADD_FAILURE() << fmt::format(
        "{} differs in line {}\n  accepted: {}\n  written:  {}\nto accept: ATTN_ACCEPT=1 "
        "build/release/bin/reports_test --gtest_filter='Golden.*', then read git diff",
        name, 1 + std::count(was.begin(), was.begin() + static_cast<std::ptrdiff_t>(at), '\n'),
        around(was, at), around(written, at));
  }
  for (const auto& [name, was] : accepted) ADD_FAILURE() << name << " is no longer written";
}

TEST(Golden, ReportThatIsAsItShouldBe) {
  const Report report = shortened(dated_report());
  ASSERT_EQ(exit_code(report), 0);
  auto files =
      kept_of(report, {"index.html", "details.html", "report.md", "claims/corollary3.html",
                       "inputs/tiny.html", "figures/tightness.svg", "figures/tiny-steps.csv"});
  files["style.css"] = style_sheet();
  compare(kGolden / "fine", files);
}

TEST(Golden, ReportWhereEverythingWentWrong) {
  const Report report = shortened(failing_report());
  std::set<Outcome> outcomes;
  for (const Failure& failure : failures(report)) outcomes.insert(failure.outcome);
  ASSERT_THAT(outcomes, testing::UnorderedElementsAre(Outcome::unexpected, Outcome::undecided,
                                                      Outcome::not_covered, Outcome::missing));
  compare(kGolden / "failing", kept_of(report, {"index.html", "report.md", "junit.xml",
                                                "claims/corollary1.upper.html"}));
}

TEST(Golden, ReportOfWindows) {
  auto files = kept_of(report_of_windows(), {"inputs/tiny.html"});
  // Its numbers are those of the fold, which has tests of its own.
  files.erase("report.json");
  compare(kGolden / "windows", files);
}

TEST(Golden, ReportOfAnInputOfWhichLittleWasRecorded) {
  auto files = kept_of(report_of_little(), {"index.html", "report.md", "inputs/tiny.html"});
  files.erase("report.json");
  compare(kGolden / "little", files);
}

}  // namespace
}  // namespace attn::report
