#include <gtest/gtest.h>

#include "reports/tests/browser/page_fixture.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::test {
namespace {

/// Every figure shows a drawing, no wider than what it stands in, and no part of it is cut off.
constexpr std::string_view kFigures = R"js(
const problems = [];
const inside = (inner, outer) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1 &&
  inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
for (const figure of all('figure')) {
  const drawings = [...figure.querySelectorAll('svg')].filter(shown);
  for (const svg of drawings) {
    const box = svg.getBoundingClientRect(), around = svg.parentElement.getBoundingClientRect();
    if (!(box.width > 0 && box.height > 0)) problems.push(nameOf(svg) + ' is empty');
    if (!(box.left >= around.left - 1 && box.right <= around.right + 1)) {
      problems.push(nameOf(svg) + ' is wider than what it stands in');
    }
    const marks = [...svg.querySelectorAll('rect,circle,line,path,polyline,polygon,text')];
    if (marks.length === 0) problems.push(nameOf(svg) + ' has no mark');
    for (const mark of marks) {
      if (!inside(mark.getBoundingClientRect(), box)) {
        problems.push(nameOf(mark) + ' is cut off in ' + nameOf(svg));
      }
    }
  }
}
return {seen: all('figure').length, problems};
)js";

/// No text of a drawing is smaller than 8 px after scaling.
constexpr std::string_view kTextOfFigures = R"js(
const texts = all('figure svg text').filter(shown);
const size = text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().d;
return {seen: texts.length, problems: texts.filter(text => !(size(text) >= 8)).map(
  text => nameOf(text) + ' is ' + size(text).toFixed(1) + ' px high')};
)js";

/// No text reaches over the edge of the paper or of a box that hides it.
constexpr std::string_view kCutOffText = R"js(
const problems = [], texts = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  if (node.data.trim() && shown(node.parentElement)) texts.push(node);
}
for (const text of texts) {
  const range = document.createRange();
  range.selectNodeContents(text);
  const box = range.getBoundingClientRect();
  let left = 0, right = document.documentElement.clientWidth;
  for (let at = text.parentElement; at; at = at.parentElement) {
    if (at instanceof SVGElement || getComputedStyle(at).overflowX === 'visible') continue;
    left = Math.max(left, at.getBoundingClientRect().left);
    right = Math.min(right, at.getBoundingClientRect().right);
  }
  if (!(box.left >= left - 1 && box.right <= right + 1)) {
    problems.push(nameOf(text.parentElement) + ' is cut off');
  }
}
return {seen: texts.length, problems};
)js";

class Layout : public PageTest {};

INSTANTIATE_TEST_SUITE_P(Page, Layout, testing::ValuesIn(kPages));

TEST_P(Layout, ThePageAndItsFiguresFitTheScreen) {
  for (const bool is_folded : {true, false}) {
    Page& page = is_folded ? folded() : unfolded();
    for (const Screen& screen : kWidths) {
      SCOPED_TRACE(screen.name());
      page.show_on(screen);
      // A phone zooms out until a page that is too wide fits: innerWidth says nothing there.
      EXPECT_LE(page.evaluate("return document.scrollingElement.scrollWidth;"), screen.width);
      if (!is_folded) expect_no_problem(page, kFigures);
    }
  }
}

class LayoutOfAnInput : public PageTest {};

constexpr SamplePage kInputs[] = {
    {"inputs/tiny.html"}, {"inputs/tiny.html", 30, 9}, {"inputs/tiny.html", 32, 32}};

INSTANTIATE_TEST_SUITE_P(Page, LayoutOfAnInput, testing::ValuesIn(kInputs));

/// A reader scrolls no further, whatever the number of heads.
TEST_P(LayoutOfAnInput, IsNotTooHigh) {
  Page& page = folded();
  page.show_on({.width = 1300});
  EXPECT_LE(page.evaluate("return document.scrollingElement.scrollHeight;"), 8000);
}

TEST_P(LayoutOfAnInput, IsNotTooLarge) {
  EXPECT_LE(std::filesystem::file_size(file()), 400'000U);
}

/// The overview of what ./verify checks by itself.
class LayoutOfTheOverview : public PageTest {};

INSTANTIATE_TEST_SUITE_P(Page, LayoutOfTheOverview,
                         testing::Values(SamplePage{"index.html", 2, 3, true}));

TEST_P(LayoutOfTheOverview, IsNotTooHigh) {
  Page& page = folded();
  page.show_on({.width = 1440});
  EXPECT_EQ(
      page.evaluate("return all('#claims ~ .scroll')[0].querySelectorAll('tbody tr').length;"),
      catalogue().size());
  EXPECT_EQ(
      page.evaluate("return all('#inputs ~ .scroll')[0].querySelectorAll('tbody tr').length;"), 4);
  EXPECT_LE(page.evaluate("return document.scrollingElement.scrollHeight;"), 8000);
}

TEST_P(LayoutOfTheOverview, IsNotTooLarge) {
  EXPECT_LE(folded().evaluate("return all('*').length;"), 6000);
  EXPECT_LE(std::filesystem::file_size(file()), 400'000U);
}

TEST_P(Layout, TextOfFiguresCanBeReadOnAPhone) {
  Page& page = folded();
  page.show_on({.width = 360});
  expect_no_problem(page, kTextOfFigures);
}

TEST_P(Layout, ThePageCanBePrinted) {
  const std::string pdf = folded().call("Page.printToPDF", {{"pageRanges", "1"}}).at("data");
  EXPECT_EQ(pdf.substr(0, 6), "JVBERi") << "no PDF (\"%PDF\" in base64)";

  for (const bool is_folded : {true, false}) {
    Page& page = is_folded ? folded() : unfolded();
    page.show_on({.width = 717, .media = "print"});  // A4 within the margins that Chromium leaves
    expect_no_problem(page, kCutOffText);
  }
}

}  // namespace
}  // namespace attn::test
