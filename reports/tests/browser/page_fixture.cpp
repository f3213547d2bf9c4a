#include "reports/tests/browser/page_fixture.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <ostream>
#include <thread>

#include "reports/judge/judge.hpp"
#include "reports/judge/statements.hpp"
#include "reports/pages/render.hpp"
#include "reports/tests/browser/chromium.hpp"
#include "reports/tests/sample_measurements.hpp"
#include "reports/tests/sample_report.hpp"
#include "theory/tests/temporary_folder.hpp"

namespace attn::test {
namespace {

/// Every statement, each with an interval of as many digits as any has, and as long as their words
/// are on average.
void lengthen(std::vector<report::PaperStatement>& statements) {
  constexpr std::size_t kCharacters = 370;
  const report::PaperStatement sample = statements.front();
  statements.clear();
  for (const std::string_view id : report::statement_ids()) {
    report::PaperStatement& statement = statements.emplace_back(sample);
    statement.id = id;
    statement.estimate = 0.7185;
    statement.low = 0.6715;
    statement.high = 0.7655;
    statement.agrees = false;
    while (statement.measured.size() < kCharacters) statement.measured += " as measured here";
  }
}

/// Every ranking of tokens that the recorder measures the loss of.
void add_rankings(std::vector<report::SetSizeCurve>& curves) {
  for (const char* const ranking :
       {"contribution", "random with the first token", "random with its own token",
        "random with the first token and its own", "random without the first token and its own"}) {
    curves.push_back(curves.back());
    curves.back().ranking = ranking;
  }
}

/// Puts in the place of the one input those that ./verify checks by itself, each with all records
/// and figures that an input may have.
void spread_over_inputs(report::Report& report) {
  constexpr const char* kInputs[] = {
      "tiny (GPT-2 architecture, 1.6 M parameters, trained for this project)",
      "openai-community/gpt2 (124M), gpt2_124m_9tok.safetensors",
      "openai-community/gpt2 (124M), gpt2_124m_scores_ex0.safetensors",
      "SmolLM2-135M-Instruct.Q4_1.gguf, smollm2_135m_64tok.safetensors"};
  const auto is_real = [](const report::ClaimRecord& record) {
    return record.stage != report::Stage::synthetic;
  };
  std::vector<report::ClaimRecord> records;
  std::ranges::copy_if(report.claims, std::back_inserter(records), is_real);
  std::erase_if(report.claims, is_real);
  const report::Measurements sample = report.inputs.front();
  report.inputs.clear();
  for (const char* const input : kInputs) {
    report::Measurements& measured = report.inputs.emplace_back(sample);
    measured.input = measured.model = input;
    for (report::ClaimRecord& record : records) {
      record.input = input;
      record.replay = fmt::format(
          "gpt2_check run --activations gpt2_check/recordings/{} --seed 1 --out DIR", input);
      report.claims.push_back(record);
    }
  }
  report.inputs.back().unconfirmed_layers = sample.layers;
  report.inputs.back().checked =
      "softmax of what is recorded is within 0.015 of the weights that the model used";
  report::complete(report);  // the records of a claim stand together
}

/// The folder of such a report, written where it is asked for first.
std::filesystem::path sample_folder(const SamplePage& page) {
  static const TemporaryFolder folder;
  const std::filesystem::path out =
      folder / fmt::format("{}-by-{}{}", page.layers, page.heads,
                           page.is_of_all_inputs ? "-of-all-inputs" : "");
  if (!std::filesystem::exists(out)) {
    report::Report report = report::sample_report();
    report.inputs = {
        report::measurements_from(report::sample_measurements(page.layers, page.heads))};
    lengthen(report.inputs.front().abstract);
    add_rankings(report.inputs.front().set_sizes->curves);
    if (page.is_of_all_inputs) spread_over_inputs(report);
    report::write_rendered(out, report, {});
  }
  return out;
}

/// What the page fetched since it was last asked. Fails where it logged something.
std::vector<std::string> fetched_in_silence(Page& page) {
  std::this_thread::sleep_for(
      std::chrono::milliseconds(200));  // what is laid out asks for pictures
  page.evaluate("");                    // the events come before the answer
  std::vector<std::string> fetched;
  for (const nlohmann::json& event : page.events()) {
    const std::string method = event.at("method");
    const nlohmann::json& params = event.at("params");
    if (method == "Network.requestWillBeSent") fetched.push_back(params.at("request").at("url"));
    EXPECT_NE(method, "Runtime.consoleAPICalled") << params;
    EXPECT_NE(method, "Runtime.exceptionThrown") << params;
    EXPECT_NE(method, "Log.entryAdded") << params;
  }
  return fetched;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const SamplePage& page) {
  return out << page.file << " of " << page.layers * page.heads << " heads"
             << (page.is_of_all_inputs ? ", all inputs" : "");
}

void PageTest::SetUp() {
  if (find_chromium().empty()) {
    GTEST_SKIP() << "no chromium, chromium-browser or google-chrome on PATH: install the package "
                    "chromium, or name the program in ATTN_CHROMIUM";
  }
  file_ = sample_folder(GetParam()) / GetParam().file;
}

void PageTest::TearDown() {
  if (!shared_) return;
  EXPECT_THAT(fetched_in_silence(*shared_), testing::IsEmpty());
}

Page& PageTest::folded() {
  shared().evaluate("for (const details of all('details')) details.open = false;");
  return *shared_;
}

Page& PageTest::unfolded() {
  shared().evaluate("for (const details of all('details')) details.open = true;");
  return *shared_;
}

Page& PageTest::shared() {
  static Chromium browser(find_chromium());
  static Page page(browser);
  static std::filesystem::path opened;
  shared_ = &page;
  if (opened != file_) {
    page.open(file_);
    opened = file_;
    EXPECT_THAT(fetched_in_silence(page), testing::ElementsAre("file://" + file_.string()));
  }
  return page;
}

void expect_no_problem(Page& page, std::string_view check) {
  const nlohmann::json found = page.evaluate(check);
  EXPECT_GT(found.at("seen").get<int>(), 0) << "nothing to check";
  const nlohmann::json& problems = found.at("problems");
  EXPECT_TRUE(problems.empty()) << problems.dump(1).substr(0, 4000);
}

}  // namespace attn::test
