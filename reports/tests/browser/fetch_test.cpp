#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/tests/browser/page_fixture.hpp"

namespace attn::test {
namespace {

using nlohmann::json;

class Fetch : public PageTest {};

TEST_P(Fetch, NothingButThePageIsFetchedAndNothingIsLogged) {
  Page page(browser());
  page.open(file());
  unfold(page);
  for (const Screen& screen : kScreens) {
    page.show_on(screen);
    page.call("Page.captureScreenshot");  // what a style sheet names is fetched when it is drawn
  }
  page.show_on({.width = 720, .media = "print"});
  page.call("Page.captureScreenshot");

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
