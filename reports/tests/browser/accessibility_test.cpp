#include <gtest/gtest.h>

#include <set>

#include "reports/tests/browser/page_fixture.hpp"

namespace attn::test {
namespace {

using nlohmann::json;

constexpr std::string_view kHeadings = R"js(
const problems = [], headings = all('h1,h2,h3,h4,h5,h6');
let before = 0;
for (const heading of headings) {
  const level = Number(heading.localName[1]);
  if (level > before + 1) problems.push(nameOf(heading) + ' comes after level ' + before);
  before = level;
}
if (all('h1').length !== 1) problems.push(all('h1').length + ' h1');
if (!document.documentElement.lang) problems.push('no language');
return {seen: headings.length, problems};
)js";

constexpr std::string_view kReferences = R"js(
const problems = [], ids = all('[id]').map(element => element.id), links = all('a');
ids.filter((id, i) => ids.indexOf(id) !== i).forEach(id => problems.push('two elements ' + id));
for (const link of links) {
  const href = link.getAttribute('href');
  if (!href) problems.push(nameOf(link) + ' leads nowhere');
  if (href?.startsWith('#') && !document.getElementById(href.slice(1))) {
    problems.push(nameOf(link) + ' leads to ' + href + ', which is not there');
  }
}
for (const name of ['aria-labelledby', 'aria-describedby', 'aria-controls', 'for']) {
  for (const element of all(`[${name}]`)) {
    for (const id of element.getAttribute(name).split(/\s+/)) {
      if (!document.getElementById(id)) problems.push(nameOf(element) + ' refers to ' + id);
    }
  }
}
return {seen: links.length, problems};
)js";

/// A drawing is one image, or decoration, or a group of links.
constexpr std::string_view kDrawings = R"js(
const drawings = all('svg');
const is_known = svg => svg.getAttribute('role') === 'img' || svg.closest('[aria-hidden=true]') ||
  svg.querySelector('a[href]');
// What is inside an image cannot be reached by those who do not see it.
const hides = svg => (svg.getAttribute('role') === 'img' || svg.closest('[aria-hidden=true]')) &&
  svg.querySelector('a[href],[tabindex]');
return {seen: drawings.length, problems: [
  ...drawings.filter(svg => !is_known(svg)).map(svg => nameOf(svg) + ' is no image'),
  ...drawings.filter(hides).map(svg => nameOf(svg) + ' hides what can have the focus')]};
)js";

constexpr std::string_view kTables = R"js(
const problems = [], tables = all('table');
for (const table of tables) {
  const headers = [...table.querySelectorAll('th')];
  if (headers.length === 0) problems.push(nameOf(table) + ' has no headers');
  for (const header of headers) {
    if (!['row', 'col', 'rowgroup', 'colgroup'].includes(header.scope)) {
      problems.push(nameOf(header) + ' has no scope in ' + nameOf(table));
    }
  }
}
return {seen: tables.length, problems};
)js";

/// Focuses every element that can have the focus. The outline must stand out from what is around.
constexpr std::string_view kFocus = R"js(
const problems = [];
const reachable = all('a[href],summary,button,input,[tabindex]').filter(
  element => shown(element) && !element.closest('[inert]'));
for (const element of reachable) {
  element.focus();
  const style = getComputedStyle(element);
  if (document.activeElement !== element) {
    problems.push(nameOf(element) + ' does not take the focus');
  } else if (!element.matches(':focus-visible')) {
    problems.push(nameOf(element) + ' does not count as focused');
  } else if (style.outlineStyle === 'none' || !(parseFloat(style.outlineWidth) >= 1)) {
    problems.push(nameOf(element) + ' has no outline');
  }
}
return {seen: reachable.length, problems};
)js";

/// Kinds of nodes that say nothing without a name.
const std::set<std::string> kNamed = {"image", "link",   "button",  "DisclosureTriangle",
                                      "table", "region", "heading", "navigation"};

class Accessibility : public PageTest {};

TEST_P(Accessibility, HeadingsAreInOrder) {
  Page page(browser());
  page.open(file());
  expect_no_problem(page, kHeadings);
}

TEST_P(Accessibility, LinksAndLabelsLeadSomewhere) {
  Page page(browser());
  page.open(file());
  expect_no_problem(page, kReferences);
}

TEST_P(Accessibility, DrawingsAndTablesSayWhatTheyAre) {
  Page page(browser());
  page.open(file());
  unfold(page);
  expect_no_problem(page, kDrawings);
  expect_no_problem(page, kTables);
  for (const int width : {360, 1440}) {
    page.show_on({.width = width});
    int images = 0;
    for (const json& node : page.accessible_nodes()) {
      const std::string role = node.at("role").at("value");
      if (role == "image") ++images;
      const std::string name = node.contains("name") ? node["name"].value("value", "") : "";
      EXPECT_FALSE(name.empty() && kNamed.contains(role)) << role << " without a name: " << node;
    }
    EXPECT_GT(images, 0);
    EXPECT_EQ(images, page.evaluate("return all('svg[role=img]').filter(shown).length;"));
  }
}

TEST_P(Accessibility, TheFocusCanBeSeen) {
  Page page(browser());
  page.open(file());
  unfold(page);
  page.press("Tab");  // from now on the focus is that of a keyboard
  expect_no_problem(page, kFocus);
}

ATTN_FOR_BOTH_PAGES(Accessibility);

}  // namespace
}  // namespace attn::test
