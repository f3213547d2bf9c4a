#include <fmt/format.h>

#include "reports/html/page.hpp"
#include "reports/plot/svg.hpp"

namespace attn::report {
namespace {

constexpr std::string_view kPageRules = R"css(
:root {
  color-scheme: light dark;
  --serif: Charter, "Bitstream Charter", "Iowan Old Style", Palatino, Georgia, "DejaVu Serif", serif;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.55 var(--serif);
  overflow-wrap: break-word; }
header, main { max-width: 86rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 1.25rem; font: .86rem/1.5 var(--sans); color: var(--muted); }
main { padding-bottom: 2.5rem; }
p, ul { max-width: 44rem; margin: 0 0 .9rem; }
header p { max-width: none; margin: 0; }
.top { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr));
  gap: 0 3rem; align-items: start; margin: 1.25rem 0 1.5rem; }
.top figure { margin: .5rem 0 0; }
h1 { font-size: 2.1rem; line-height: 1.2; font-weight: 500; margin: 0 0 1rem;
  letter-spacing: -.01em; }
h2 { font-size: 1.5rem; line-height: 1.25; font-weight: 500; margin: 1.6rem 0 .8rem;
  padding-top: .8rem; border-top: 1px solid var(--ink); }
h3 { font-size: 1.12rem; line-height: 1.35; font-weight: 600; margin: 1.9rem 0 .6rem; }
a { color: inherit; text-decoration-color: var(--muted); text-underline-offset: .18em; }
a:hover { text-decoration-color: currentColor; }
a:focus-visible, summary:focus-visible, .scroll:focus-visible {
  outline: 2px solid var(--synthetic); outline-offset: 3px; }
code, pre { font-family: var(--mono); font-size: .84em; }
code { overflow-wrap: anywhere; }
pre { background: var(--raised); padding: .8rem 1rem; margin: .5rem 0 1rem; line-height: 1.5;
  font-size: .78rem; white-space: pre-wrap; overflow-wrap: anywhere; }
sub, sup { font-size: .72em; line-height: 0; }
.lead { font-size: 1.22rem; line-height: 1.45; max-width: none; }
.note, figcaption, caption { font: .84rem/1.5 var(--sans); color: var(--muted); }
.good { color: var(--good); }
.bad { color: var(--bad); }
nav { font: .88rem/1.8 var(--sans); padding: .4rem 0; border-top: 1px solid var(--rule);
  border-bottom: 1px solid var(--rule); }
nav a { display: inline-block; margin-right: 1.15rem; text-decoration: none; }
nav a:hover { text-decoration: underline; }
dl { columns: 25rem; column-gap: 3rem; margin: 0 0 1rem; }
dl > div { padding: .6rem 0; border-top: 1px solid var(--rule); break-inside: avoid; }
dt { font-weight: 600; }
dd { margin: .15rem 0 0; }
li { margin-bottom: .4rem; }
.scroll { overflow-x: auto; margin: .9rem 0 1.25rem; }
table { border-collapse: collapse; font: .82rem/1.4 var(--sans);
  font-variant-numeric: tabular-nums; min-width: min(100%, 30rem); }
caption { text-align: left; padding-bottom: .4rem; max-width: min(60rem, 100vw - 2.4rem); }
th, td { padding: .1rem 1.1rem .1rem 0; text-align: left; vertical-align: top; line-height: 1.3;
  border-bottom: 1px solid var(--rule); }
th:last-child, td:last-child { padding-right: 0; }
thead th { font-weight: 600; border-bottom: 1px solid var(--ink); vertical-align: bottom; }
tbody th { font-weight: 400; }
th code, th a { white-space: nowrap; }
th a wbr { display: none; }
.number { text-align: right; }
.compact td { white-space: nowrap; }
.formula-line { margin: .8rem 0; padding-left: 2.4rem; text-indent: -1rem; font-size: 1.06rem;
  line-height: 1.8; max-width: 46rem; }
details { margin: .5rem 0; }
summary { font: .9rem/1.5 var(--sans); cursor: pointer; }
summary::marker { color: var(--muted); }
details[open] > summary { margin-bottom: .5rem; }
figure { margin: 1.25rem 0; }
figcaption { max-width: 44rem; margin-top: .5rem; }
.wide > figcaption { max-width: none; columns: 2 28rem; column-gap: 3rem; }
svg { display: block; max-width: 100%; height: auto; }
.panel-title { font: 600 .84rem/1.4 var(--sans); margin: 0 0 .3rem; overflow-wrap: anywhere; }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr));
  gap: 1.25rem 2rem; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr));
  gap: 0 3rem; }
.columns h3:first-child { margin-top: .5rem; }
.maps { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 10rem), 1fr));
  gap: 1.25rem; align-items: end; }
@media screen and (max-width: 720px) {
  header, main { padding-left: 1rem; padding-right: 1rem; }
  h1 { font-size: 1.6rem; }
  .lead { font-size: 1.1rem; }
  .formula-line { padding-left: 1.6rem; }
  .stacked thead { display: none; }
  .stacked, .stacked caption, .stacked tbody, .stacked tr, .stacked th, .stacked td {
    display: block; border: 0; padding: 0; }
  .stacked tr { border-top: 1px solid var(--rule); padding: .5rem 0; }
  .stacked td { white-space: normal; }
  .stacked .number { text-align: left; }
}
@media print {
  body { font-size: 10.5pt; }
  header, main { max-width: none; padding: 0; }
  nav, .files { display: none; }
  h2, h3 { break-after: avoid; }
  figure, tr { break-inside: avoid; }
  .scroll { overflow: visible; }
  table { font-size: 7.5pt; }
  th, td { padding-right: .4rem; overflow-wrap: anywhere; }
  thead th, td strong { overflow-wrap: break-word; }
  th code, .compact td { white-space: normal; }
}
)css";

}  // namespace

const std::string& style_sheet() {
  static const std::string sheet = [] {
    const std::string light = plot::palette_css(plot::Scheme::light),
                      dark = plot::palette_css(plot::Scheme::dark);
    return fmt::format(
        ":root {{\n{0}}}\n@media (prefers-color-scheme: dark) {{\n:root {{\n{1}}}\n}}\n"
        // Paper is white whatever the screen is.
        "@media print {{\n:root {{\n{0}}}\n:root {{ --page: #fff; --ink: #000; --muted: #444; "
        "}}\n}}\n{2}{3}",
        light, dark, plot::drawing_rules(), kPageRules);
  }();
  return sheet;
}

}  // namespace attn::report
