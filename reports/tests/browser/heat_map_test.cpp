#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "reports/tests/browser/page_fixture.hpp"

namespace attn::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

struct Head {
  int layer{}, head{};

  [[nodiscard]] std::string id() const { return fmt::format("head-{}-{}", layer, head); }
};

/// The heat maps, whose cells are links to the details of a head.
class HeatMaps : public PageTest {
 protected:
  /// Opens the page on a wide screen. It must have a map.
  void open(Page& page) {
    page.open(file());
    page.show_on({.width = 1440});
    if (page.evaluate("return all('svg.heat-map a[href]').length;") < 4) {
      throw std::runtime_error("the page has no heat map of links");
    }
  }

  /// Puts the focus on what comes before the first map, and presses Tab. The next stop must be a
  /// cell: Chromium also stops at an svg that listens to focus events.
  static void tab_to_a_map(Page& page) {
    page.evaluate(R"js(
      const map = document.querySelector('svg.heat-map');
      const before = all('a[href],summary,[tabindex="0"]').filter(element => shown(element) &&
        element.compareDocumentPosition(map) & Node.DOCUMENT_POSITION_FOLLOWING);
      before.at(-1).focus();)js");
    page.press("Tab");
    if (page.evaluate("return document.activeElement.matches('svg.heat-map a[href]');") != true) {
      throw std::runtime_error("Tab does not lead to a cell of the first heat map");
    }
  }

  /// The head whose cell has the focus.
  static Head focused(Page& page) {
    const json numbers = page.evaluate(R"js(
      const link = document.activeElement.closest("svg.heat-map a[href]");
      return link.getAttribute('href').match(/^#head-(\d+)-(\d+)$/).slice(1).map(Number);)js");
    return {numbers.at(0), numbers.at(1)};
  }

  static json shown_details(Page& page) {
    return page.evaluate("return all('.head-detail').filter(shown).map(each => each.id);");
  }

  /// Only the details of `head` are shown; they are in view, named and have the focus.
  static void expect_details(Page& page, const Head& head) {
    const std::string id = js_string(head.id());
    EXPECT_TRUE(page.becomes(fmt::format("shown(document.getElementById({}))", id)));
    EXPECT_EQ(shown_details(page), json::array({head.id()}));
    EXPECT_TRUE(
        page.becomes(fmt::format("(box => box.top >= -1 && box.top < innerHeight - 40)"
                                 "(document.getElementById({}).getBoundingClientRect())",
                                 id)))
        << head.id() << " is not in view";
    EXPECT_TRUE(page.becomes(
        fmt::format("document.getElementById({}).contains(document.activeElement)", id)))
        << head.id() << " has not the focus";
    const std::string name = page.name_of(fmt::format("[id={}]", id));
    EXPECT_THAT(name, HasSubstr(fmt::format("ayer {}", head.layer)));
    EXPECT_THAT(name, HasSubstr(fmt::format("ead {}", head.head)));
  }
};

TEST_F(HeatMaps, AreOneTabStopEach) {
  Page page(browser());
  open(page);
  tab_to_a_map(page);
  page.evaluate("document.activeElement.closest('svg').dataset.first = '';");
  page.press("Tab");
  EXPECT_FALSE(page.evaluate("return document.activeElement.closest('svg[data-first]') !== null;"));
  page.press("Tab", kShift);
  EXPECT_TRUE(page.evaluate("return document.activeElement.closest('svg[data-first]') !== null;"));
  page.press("Tab", kShift);
  EXPECT_FALSE(page.evaluate("return document.activeElement.closest('svg[data-first]') !== null;"));
}

TEST_F(HeatMaps, ArrowsHomeAndEndMoveTheFocus) {
  Page page(browser());
  open(page);
  tab_to_a_map(page);
  const Head first = focused(page);
  page.press("ArrowRight");
  EXPECT_EQ(focused(page).id(), (Head{first.layer, first.head + 1}.id()));
  page.press("ArrowDown");
  EXPECT_EQ(focused(page).id(), (Head{first.layer + 1, first.head + 1}.id()));
  page.press("Home");
  EXPECT_EQ(focused(page).id(), first.id());
  page.press("End");
  const Head last = focused(page);
  EXPECT_TRUE(last.layer > first.layer && last.head > first.head) << last.id();
  page.press("ArrowRight");
  page.press("ArrowDown");
  EXPECT_EQ(focused(page).id(), last.id()) << "the map ends there";
}

TEST_F(HeatMaps, ShowWhichCellHasTheFocus) {
  Page page(browser());
  open(page);
  tab_to_a_map(page);
  page.evaluate(R"js(
    document.documentElement.style.scrollBehavior = 'auto';
    document.activeElement.scrollIntoView({block: 'center'});)js");
  const std::string focused = page.picture();
  EXPECT_TRUE(page.picture() == focused) << "the page does not rest";
  page.evaluate("document.activeElement.blur();");
  EXPECT_FALSE(page.picture() == focused) << "the focused cell looks like any other";
}

TEST_F(HeatMaps, AClickShowsTheDetailsOfAHead) {
  Page page(browser());
  open(page);
  for (const Head& head : {Head{1, 2}, Head{0, 1}}) {
    page.click(fmt::format("svg.heat-map a[href='#{}']", head.id()));
    expect_details(page, head);
  }
}

TEST_F(HeatMaps, EnterShowsTheDetailsOfAHead) {
  Page page(browser());
  open(page);
  EXPECT_EQ(shown_details(page), json::array());
  tab_to_a_map(page);
  const Head first = focused(page);
  page.press("ArrowRight");
  page.press("ArrowDown");
  page.press("Enter");
  expect_details(page, {first.layer + 1, first.head + 1});

  page.evaluate("history.back();");
  EXPECT_TRUE(page.becomes("all('.head-detail').filter(shown).length === 0"));
}

TEST_F(HeatMaps, TheDetailsLeadBackToTheCell) {
  Page page(browser());
  open(page);
  tab_to_a_map(page);
  page.press("ArrowRight");
  const Head head = focused(page);
  for (const char* const key : {"Enter", "Escape"}) {
    page.press("Enter");
    expect_details(page, head);
    page.press("Tab");
    ASSERT_TRUE(page.evaluate("return document.activeElement.closest('.head-detail a') !== null;"));
    page.press(key);
    EXPECT_TRUE(page.becomes("all('.head-detail').filter(shown).length === 0")) << key;
    EXPECT_EQ(focused(page).id(), head.id()) << key;
  }
}

TEST_F(HeatMaps, WorkWithoutScripts) {
  Page page(browser());
  open(page);
  constexpr std::string_view kReads =
      "return [document.body.innerText, all('figure,figure svg').filter(shown).length];";
  const json with_scripts = page.evaluate(kReads);
  page.disable_scripts();
  open(page);
  EXPECT_EQ(page.evaluate(kReads), with_scripts);
  tab_to_a_map(page);
  page.press("Tab");  // every cell is a link
  const Head head = focused(page);
  page.press("Enter");
  expect_details(page, head);
  page.press("Tab");
  page.press("Enter");
  EXPECT_TRUE(page.becomes("all('.head-detail').filter(shown).length === 0"));
}

}  // namespace
}  // namespace attn::test
