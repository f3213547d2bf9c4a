#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/tests/browser/page_fixture.hpp"

namespace attn::test {
namespace {

using testing::Each;
using testing::IsEmpty;
using testing::Not;

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

/// Roles that say nothing without a name.
constexpr const char* kNamed[] = {"link",  "region",  "button",    "DisclosureTriangle",
                                  "table", "heading", "navigation"};

class Accessibility : public PageTest {};

INSTANTIATE_TEST_SUITE_P(Page, Accessibility, testing::ValuesIn(kPages));

TEST_P(Accessibility, HeadingsAreInOrder) {
  expect_no_problem(folded(), kHeadings);
}

TEST_P(Accessibility, DrawingsAndTablesSayWhatTheyAre) {
  Page& page = unfolded();
  expect_no_problem(page, kDrawings);
  expect_no_problem(page, kTables);
  for (const Screen& screen : kWidths) {
    SCOPED_TRACE(screen.name());
    page.show_on(screen);
    page.call("Accessibility.enable");  // the tree is kept from one question to the next
    const std::vector<std::string> images = page.names_of("image");
    EXPECT_GT(images.size(), 0u);
    EXPECT_EQ(images.size(), page.evaluate("return all('svg[role=img]').filter(shown).length;"));
    EXPECT_THAT(images, Each(Not(IsEmpty())));
  }
  for (const char* const role : kNamed) {
    EXPECT_THAT(page.names_of(role), Each(Not(IsEmpty()))) << role;
  }
  page.call("Accessibility.disable");
}

}  // namespace
}  // namespace attn::test
