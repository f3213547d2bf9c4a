#include "reports/tests/browser/page_fixture.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <thread>

#include "reports/pages/render.hpp"
#include "reports/tests/browser/chromium.hpp"
#include "reports/tests/sample_report.hpp"
#include "theory/tests/temporary_folder.hpp"

namespace attn::test {
namespace {

std::filesystem::path sample_folder() {
  static const TemporaryFolder folder;
  static const std::filesystem::path out = [] {
    report::write_rendered(folder / "report", report::sample_report(), {});
    return folder / "report";
  }();
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

void PageTest::SetUp() {
  if (find_chromium().empty()) {
    GTEST_SKIP() << "no chromium, chromium-browser or google-chrome on PATH: install the package "
                    "chromium, or name the program in ATTN_CHROMIUM";
  }
  file_ = sample_folder() / GetParam();
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
