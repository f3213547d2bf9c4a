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
const memo = compute => {
  const known = new Map();
  return element => {
    if (!known.has(element)) known.set(element, compute(element));
    return known.get(element);
  };
};
/// A number for what the style sheet knows an element by: its name and attributes and those of all
/// that it is in. Its colours follow from that, so that of many alike one is looked at.
const looks = new Map();
const look = memo(element => {
  if (!element) return 0;
  const attributes = ['class', 'style', 'fill', 'stroke', 'opacity', 'open', 'tabindex'].map(
    name => element.getAttribute(name));
  const key = [look(element.parentElement), element.localName, ...attributes].join('|');
  if (!looks.has(key)) looks.set(key, looks.size + 1);
  return looks.get(key);
});
const opacity = memo(element =>
  element ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1);
/// What an element stands on: the backgrounds of all that it is in, null where there is none.
const ground = memo(element => {
  if (!element) return null;
  const style = getComputedStyle(element), below = ground(element.parentElement);
  if (style.backgroundImage !== 'none') throw Error(nameOf(element) + ' stands on a picture');
  const background = colour(style.backgroundColor);
  if (background[3] === 1) return background;
  if (element === document.body) throw Error('the page has no background');
  return below && over(background, below);
});
/// What the fill or stroke (`which`) of a shape looks like on `below`; null where there is none.
const paint = (shape, which, below) => {
  const style = getComputedStyle(shape);
  if (style[which] === 'none' || (which === 'fill' && shape.localName === 'line')) return null;
  if (which === 'stroke' && !(parseFloat(style.strokeWidth) > 0)) return null;
  return over(colour(style[which], Number(style[which + 'Opacity']) * opacity(shape)), below);
};
/// What a shape or text of a drawing stands on: its halo, or the shapes that are drawn before it.
const groundInDrawing = element => {
  const svg = element.ownerSVGElement, style = getComputedStyle(element);
  let below = ground(svg);
  if (style.paintOrder.startsWith('stroke') && style.stroke !== 'none') {
    return paint(element, 'stroke', below);
  }
  const box = element.getBBox();
  const centre = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
  for (const shape of svg.querySelectorAll('rect,circle,path,polygon')) {
    if (!(shape.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING)) break;
    if (shape.isPointInFill(centre)) below = paint(shape, 'fill', below) ?? below;
  }
  return below;
};
)js";

constexpr std::string_view kText = R"js(
const problems = new Set();
let seen = 0;
const done = new Set();  // in a drawing the ground depends on the place
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const element = node.parentElement;
  if (done.has(look(element))) continue;
  if (!node.data.trim() || !element.getClientRects().length || !shown(element)) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  if (range.getClientRects().length === 0) continue;
  ++seen;
  const style = getComputedStyle(element), in_drawing = element instanceof SVGElement;
  if (!in_drawing) done.add(look(element));
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

/// All shapes of figures but what only helps to read them, and what shows a value by its strength;
/// against the page, or against the cell of a map.
constexpr std::string_view kMarks = R"js(
const helpers = ['grid', 'band', 'region', 'heat-ground', 'heat'];
const problems = new Set();
const marks = all('figure svg').filter(shown).flatMap(
  svg => [...svg.querySelectorAll('rect,circle,line,path,polyline,polygon')]).filter(
  mark => !helpers.some(name => mark.classList.contains(name)));
for (const mark of marks) {
  const below = ground(mark.ownerSVGElement);
  const paints = [paint(mark, 'fill', below), paint(mark, 'stroke', below)].filter(Boolean);
  const best = Math.max(0, ...paints.map(each => contrast(each, below)));
  if (!(best >= 3)) problems.add(nameOf(mark) + ' has contrast ' + best.toFixed(2));
}
return {seen: marks.length, problems: [...problems]};
)js";

/// Focuses an element of each look that can have the focus.
constexpr std::string_view kFocus = R"js(
const problems = new Set();
const reachable = [...new Map(all('a[href],summary,button,input,[tabindex]').filter(shown).map(
  element => [look(element), element])).values()];
for (const element of reachable) {
  element.focus();
  const style = getComputedStyle(element), page = ground(element.closest('svg') ?? element);
  const outline = contrast(over(colour(style.outlineColor), page), page);
  if (!element.matches(':focus-visible')) {
    problems.add(nameOf(element) + ' does not take the focus');
  } else if (style.outlineStyle === 'none' || !(parseFloat(style.outlineWidth) >= 1)) {
    problems.add(nameOf(element) + ' has no outline');
  } else if (!(outline >= 3)) {
    problems.add(nameOf(element) + ' has an outline of contrast ' + outline.toFixed(2));
  }
}
return {seen: reachable.length, problems: [...problems]};
)js";

class Contrast : public PageTest {};

INSTANTIATE_TEST_SUITE_P(Page, Contrast, testing::ValuesIn(kPages));

TEST_P(Contrast, TextMarksAndTheFocusStandOut) {
  Page& page = unfolded();
  page.press_tab();  // from now on the focus is that of a keyboard
  for (const Screen& screen : kScreens) {
    SCOPED_TRACE(screen.name());
    page.show_on(screen);
    for (const std::string_view check : {kText, kMarks, kFocus}) {
      expect_no_problem(page, fmt::format("{}{}", kColours, check));
    }
  }
}

}  // namespace
}  // namespace attn::test
