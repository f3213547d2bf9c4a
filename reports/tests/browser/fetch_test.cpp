#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "reports/tests/browser/page_fixture.hpp"

namespace attn::test {
namespace {

using nlohmann::json;

class Fetch : public PageTest {};

TEST_P(Fetch, NothingButThePageIsFetchedAndNothingIsLogged) {
  Page page(browser());
  page.open(file());
  unfold(page);
  // What a style sheet names is asked for when the page is laid out.
  for (const Screen& screen : screens()) {
    page.show_on(screen);
    page.evaluate("return document.body.offsetHeight;");
  }
  page.show_on({.width = 720, .media = "print"});
  page.evaluate("return document.body.offsetHeight;");
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  page.evaluate("");  // the events come before the answer

  std::vector<std::string> fetched;
  for (const json& event : page.events()) {
    const std::string method = event.at("method");
    const json& params = event.at("params");
    if (method == "Network.requestWillBeSent") fetched.push_back(params.at("request").at("url"));
    EXPECT_NE(method, "Runtime.consoleAPICalled") << params;
    EXPECT_NE(method, "Runtime.exceptionThrown") << params;
    EXPECT_NE(method, "Log.entryAdded") << params;
  }
  EXPECT_THAT(fetched, testing::ElementsAre("file://" + file().string()));
}

ATTN_FOR_BOTH_PAGES(Fetch);

}  // namespace
}  // namespace attn::test
