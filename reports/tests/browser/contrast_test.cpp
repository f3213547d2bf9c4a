#include <fmt/format.h>
#include <gtest/gtest.h>

#include "reports/tests/browser/page_fixture.hpp"

namespace attn::test {
namespace {

/// Colours as [red, green, blue, alpha] in [0, 1] and their contrast as WCAG 2.2 defines it
/// (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio).
constexpr std::string_view kColours = R"js(
const colour = (text, opacity = 1) => {
  const numbers = text.match(/[\d.]+/g)?.map(Number) ?? [];
  const scale = text.startsWith('rgb') ? 255 : text.startsWith('color(srgb ') ? 1 : NaN;
  const [red, green, blue, alpha = 1] = numbers;
  if (!(red / scale >= 0)) throw Error('no known colour: ' + text);
  return [red / scale, green / scale, blue / scale, alpha * opacity];
};
const over = (top, below) =>
  [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
const luminance = rgb => {
  const [red, green, blue] = rgb.slice(0, 3).map(
    c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one, other) => {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};
const ancestors = element => element ? [element, ...ancestors(element.parentElement)] : [];
const opacity = element => ancestors(element).reduce(
  (product, at) => product * Number(getComputedStyle(at).opacity), 1);
/// What an element stands on: the backgrounds of all that it is in.
const ground = element => {
  let result = null;
  for (const at of ancestors(element).reverse()) {
    const style = getComputedStyle(at);
    if (style.backgroundImage !== 'none') throw Error(nameOf(at) + ' stands on a picture');
    const background = colour(style.backgroundColor);
    if (background[3] === 1) result = background;
    else if (result) result = over(background, result);
  }
  if (!result) throw Error('the page has no background');
  return result;
};
/// What the fill or stroke (`which`) of a shape looks like on `below`; null where there is none.
const paint = (shape, which, below) => {
  const style = getComputedStyle(shape);
  if (style[which] === 'none') return null;
  if (which === 'stroke' && !(parseFloat(style.strokeWidth) > 0)) return null;
  return over(colour(style[which], Number(style[which + 'Opacity']) * opacity(shape)), below);
};
)js";

constexpr std::string_view kText = R"js(
/// What a text of a drawing stands on: its halo, or the shapes that are drawn before it.
const groundInDrawing = text => {
  const svg = text.ownerSVGElement, style = getComputedStyle(text);
  let below = ground(svg);
  if (style.paintOrder.startsWith('stroke') && style.stroke !== 'none') {
    return paint(text, 'stroke', below);
  }
  const box = text.getBBox();
  const centre = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
  for (const shape of svg.querySelectorAll('rect,circle,path,polygon')) {
    if (shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_PRECEDING) break;
    if (shape.isPointInFill(centre)) below = paint(shape, 'fill', below) ?? below;
  }
  return below;
};
const problems = new Set();
let seen = 0;
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const element = node.parentElement;
  if (!node.data.trim() || !element.getClientRects().length || !shown(element)) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  if (range.getClientRects().length === 0) continue;
  ++seen;
  const style = getComputedStyle(element), in_drawing = element instanceof SVGElement;
  const below = in_drawing ? groundInDrawing(element) : ground(element);
  const ink = in_drawing ? paint(element, 'fill', below)
                         : over(colour(style.color, opacity(element)), below);
  const size = parseFloat(style.fontSize);
  const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
  if (!ink || !(contrast(ink, below) >= least)) {
    problems.add(nameOf(element) + ' has contrast ' + (ink ? contrast(ink, below).toFixed(2) : 0));
  }
}
return {seen, problems: [...problems]};
)js";

/// All shapes of figures but what only helps to read them, and what shows a value by its strength.
constexpr std::string_view kMarks = R"js(
const helpers = ['grid', 'row-line', 'band', 'region', 'spread', 'lane-over', 'heat-ground', 'heat'];
const problems = new Set();
const marks = all('figure svg').filter(shown).flatMap(
  svg => [...svg.querySelectorAll('rect,circle,line,path,polyline,polygon')]).filter(
  mark => !helpers.some(name => mark.classList.contains(name)));
for (const mark of marks) {
  const page = ground(mark.ownerSVGElement);
  const paints = [paint(mark, 'fill', page), paint(mark, 'stroke', page)].filter(Boolean);
  const best = Math.max(0, ...paints.map(each => contrast(each, page)));
  if (!(best >= 3)) problems.add(nameOf(mark) + ' has contrast ' + best.toFixed(2));
}
return {seen: marks.length, problems: [...problems]};
)js";

constexpr std::string_view kOutlines = R"js(
const problems = new Set();
const reachable = all('a[href],summary,button,input,[tabindex]').filter(shown);
for (const element of reachable) {
  element.focus();
  const page = ground(element.closest('svg') ?? element);
  const outline = over(colour(getComputedStyle(element).outlineColor), page);
  if (!(contrast(outline, page) >= 3)) {
    problems.add(nameOf(element) + ' has an outline of contrast ' +
      contrast(outline, page).toFixed(2));
  }
}
return {seen: reachable.length, problems: [...problems]};
)js";

class Contrast : public PageTest {
 protected:
  /// The check on every screen with everything unfolded.
  void check(std::string_view body) {
    Page page(browser());
    page.open(file());
    unfold(page);
    page.press("Tab");  // from now on the focus is that of a keyboard
    for (const Screen& screen : kScreens) {
      SCOPED_TRACE(screen.name());
      page.show_on(screen);
      expect_no_problem(page, fmt::format("{}{}", kColours, body));
    }
  }
};

TEST_P(Contrast, TextStandsOut) {
  check(kText);
}

TEST_P(Contrast, MarksOfFiguresStandOut) {
  check(kMarks);
}

TEST_P(Contrast, OutlinesOfTheFocusStandOut) {
  check(kOutlines);
}

ATTN_FOR_BOTH_PAGES(Contrast);

}  // namespace
}  // namespace attn::test
