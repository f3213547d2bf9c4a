#include "reports/plot/style.hpp"

#include <fmt/format.h>

#include "reports/html/sections.hpp"

namespace attn::report {
namespace {

constexpr std::string_view kPageRules = R"css(
:root {
  color-scheme: light dark;
  --serif: Charter, "Bitstream Charter", "Iowan Old Style", "Palatino Linotype", Palatino,
    "TeX Gyre Pagella", Georgia, "DejaVu Serif", serif;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans",
    "DejaVu Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 17px/1.6 var(--serif); overflow-wrap: break-word; }
main { max-width: 60rem; margin: 0 auto; padding: 4rem 1.5rem 6rem; }
p, ul, ol, dl { max-width: 42rem; margin: 0 0 1rem; }
h1 { font-size: 2.5rem; line-height: 1.15; font-weight: 500; margin: 0 0 1.25rem;
  letter-spacing: -.015em; max-width: none; }
h2 { font-size: 1.65rem; line-height: 1.25; font-weight: 500; margin: 5rem 0 1.25rem;
  padding-top: 1rem; border-top: 1px solid var(--ink); }
h3 { font-size: 1.18rem; line-height: 1.35; font-weight: 600; margin: 2.5rem 0 .75rem; }
h4 { font: 600 .86rem/1.4 var(--sans); margin: 1.75rem 0 .5rem; }
a { color: inherit; text-decoration-color: var(--muted); text-underline-offset: .18em; }
a:hover { text-decoration-color: currentColor; }
a:focus-visible, summary:focus-visible, .scroll:focus-visible,
.formula-line:focus-visible { outline: 2px solid var(--synthetic);
  outline-offset: 3px; }
.heat-map a:focus-visible { outline: 2.5px solid var(--ink); outline-offset: 0; }
.heat-map a:hover { outline: 1.5px solid var(--ink); }
.head-detail { display: none; }
.head-detail:target { display: block; position: fixed; z-index: 1; right: 0; bottom: 0;
  width: min(100%, 34rem); max-height: 72vh; overflow: auto; padding: 1rem 1.25rem;
  background: var(--page); border: 1px solid var(--muted); box-shadow: 0 0 2rem rgb(0 0 0 / .25); }
.head-detail:focus { outline: 2px solid var(--synthetic); outline-offset: -2px; }
.head-detail h4 { font: 600 1.12rem/1.35 var(--serif); margin: 0 0 .4rem; }
.head-detail .close { float: right; margin: 0; font: .86rem/1.5 var(--sans); }
code, pre, .id { font-family: var(--mono); font-size: .82em; }
code { overflow-wrap: anywhere; }
pre { background: var(--raised); padding: .85rem 1rem; margin: .5rem 0 1rem; line-height: 1.5;
  font-size: .76rem; white-space: pre-wrap; overflow-wrap: anywhere; max-width: none; }
sub, sup { font-size: .72em; line-height: 0; white-space: nowrap; }
.kicker { font: 500 .82rem/1.4 var(--sans); color: var(--muted); margin: 0 0 1.5rem;
  max-width: none; }
.lead { font-size: 1.3rem; line-height: 1.5; max-width: 44rem; }
.meta, .note, figcaption, caption { font: .82rem/1.5 var(--sans); color: var(--muted); }
header .meta { max-width: none; }
nav { font: .86rem/1.6 var(--sans); margin: 2rem 0 0; padding: .6rem 0;
  border-top: 1px solid var(--rule); border-bottom: 1px solid var(--rule); }
nav a { margin-right: 1.4rem; white-space: nowrap; text-decoration: none; }
nav a:hover { text-decoration: underline; }
h2 + h3, header + section h2 { margin-top: 3rem; }

.scroll { overflow-x: auto; margin: 1rem 0 1.5rem; }
table { border-collapse: collapse; font: .82rem/1.45 var(--sans); width: 100%;
  font-variant-numeric: tabular-nums; }
caption { text-align: left; padding-bottom: .5rem; max-width: calc(100vw - 2.2rem); }
th, td { padding: .42rem .9rem .42rem 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--rule); }
th:last-child, td:last-child { padding-right: 0; }
thead th { font-weight: 600; border-bottom: 1px solid var(--ink); vertical-align: bottom; }
tbody th { font-weight: 400; }
.number { text-align: right; }
td.number { white-space: nowrap; }
.data { width: auto; min-width: min(100%, 24rem); }
.data td.number { white-space: normal; }
.digits { font-family: var(--mono); font-size: .74rem; overflow-wrap: anywhere; min-width: 11rem; }
.counts th, .counts td { white-space: nowrap; }
.group th { font-weight: 600; padding-top: 1.4rem; }
.overview th { white-space: nowrap; }
.overview.sentences th { white-space: normal; font-weight: normal; }
.overview.sentences td > span { display: inline; min-width: 0; margin: 0; }
.overview td > span { display: inline-block; min-width: 12.5rem; margin-right: 1rem; }
.normalizers td { min-width: 7rem; }
.normalizers th code { white-space: nowrap; }
.fields th { white-space: nowrap; color: var(--muted); width: 11rem; }
.fields td { overflow-wrap: anywhere; }
.bad { color: var(--bad); font-weight: 600; }
.badge { font: 500 .74rem/1 var(--sans); padding: .22rem .5rem; margin-left: .5rem;
  border: 1px solid currentColor; border-radius: 1rem; white-space: nowrap;
  vertical-align: .12em; }
.badge.proved { color: var(--good); }
.badge.refuted { color: var(--bad); }
.verdicts { max-width: 46rem; }
.verdicts > div { padding: .7rem 0; border-bottom: 1px solid var(--rule); }
.verdicts dt { font-weight: 600; }
.verdicts dd { margin: .15rem 0 0; }
.failures { border-left: 3px solid var(--bad); padding: .25rem 0 .25rem 1.1rem; margin: 1.5rem 0; }
.failures h3 { margin: 0 0 .5rem; color: var(--bad); }
.failures ul { list-style: none; padding: 0; margin: 0; max-width: none; }
.failures li { margin: 0 0 .8rem; }
.false-claim { border-left: 3px solid var(--bad); padding-left: 1.1rem; margin: 1.75rem 0; }
.false-claim h4 { font: 600 1.05rem/1.4 var(--serif); margin: 0 0 .4rem; }
.false-claim p { margin-bottom: .5rem; }
math { font-family: "STIX Two Math", "Latin Modern Math", "Cambria Math", "DejaVu Math TeX Gyre",
  math; }
.whole { white-space: nowrap; }
.formula-line { margin: .9rem 0; padding-left: 2.4rem; text-indent: -1rem; font-size: 1.06rem;
  line-height: 2.2; max-width: 46rem; overflow-x: auto; }
.about { font-size: 1.4rem; font-weight: 500; margin: 4rem 0 1.25rem; }
.claim { padding-top: .25rem; }
.claim h4 { font: 600 1.12rem/1.35 var(--serif); margin: 0 0 .6rem; }
.claim + .claim { border-top: 1px solid var(--rule); margin-top: 2.5rem; padding-top: 2rem; }
.claim .note { margin-bottom: .5rem; }
details { margin: .6rem 0; max-width: none; }
summary { font: .86rem/1.5 var(--sans); cursor: pointer; color: var(--ink); }
summary::marker { color: var(--muted); }
details[open] > summary { margin-bottom: .6rem; }

li { margin-bottom: .5rem; }
figure { margin: 1.75rem 0; }
figcaption { max-width: 42rem; margin-top: .75rem; }
.files { white-space: nowrap; }
svg { display: block; max-width: 100%; height: auto; }
.narrow { display: none; }
.histograms { display: flex; flex-wrap: wrap; gap: 1.25rem 2rem; }
.histograms > div { flex: 0 1 21.25rem; min-width: 15rem; }
.panel-title { font: 600 .82rem/1.4 var(--sans); margin: 0 0 .4rem; color: var(--ink); }
.maps { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr));
  gap: 2rem 1.75rem; }
.maps .panel-title { overflow-wrap: anywhere; }
.maps .note { margin-bottom: .3rem; }
.maps .note + svg { margin-top: 1rem; }
.one-map { max-width: 42rem; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.5rem; font: .82rem/1.5 var(--sans);
  margin: 0 0 .75rem; max-width: none; padding: 0; list-style: none; }
.legend li { display: flex; align-items: center; gap: .5rem; }
.legend svg { width: auto; height: 14px; flex: none; }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 25rem), 1fr));
  gap: 1.5rem 2rem; }
.abstract { padding-left: 1.2rem; }
.abstract-entry { border-left: 3px solid var(--rule); padding-left: 1.1rem; margin: 1.5rem 0; }
.abstract-entry p { margin-bottom: .4rem; }
.says { font-style: italic; }
.agrees-yes { color: var(--good); }
.agrees-no { color: var(--bad); }

@media screen and (max-width: 720px) {
  body { font-size: 16px; }
  main { padding: 2.25rem 1.1rem 4rem; }
  h1 { font-size: 1.75rem; }
  h2 { margin-top: 3.5rem; }
  .lead { font-size: 1.13rem; }
  .wide { display: none; }
  .narrow { display: block; }
  .formula-line { padding-left: 1.8rem; }
  .formula { display: none; }
  .overview thead, .overview .none { display: none; }
  .overview tr, .overview th, .overview td { display: block; border: 0; padding: 0; }
  .overview tr { border-top: 1px solid var(--rule); padding: .7rem 0; }
  .overview th { font-weight: 600; }
  .overview td { margin-top: .35rem; }
  .overview td::before { content: attr(data-heading); display: block; color: var(--muted); }
  .overview td > span { min-width: 0; margin-right: .8rem; }
  .fields th { white-space: normal; width: 7.5rem; }
  nav a { white-space: normal; }
}
@media print {
  :root { --page: #fff; --ink: #000; --muted: #444; --rule: #bbb; }
  body { font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  nav { display: none; }
  h2, h3, h4 { break-after: avoid; }
  figure, tr, .false-claim { break-inside: avoid; }
  .scroll, .formula-line { overflow: visible; }
  th, td { padding-right: .4rem; }
  .number { overflow-wrap: anywhere; }
  svg { max-height: 22cm; }
  table { font-size: 7.5pt; }
  .counts th, .counts td, td.number { white-space: normal; }
  .overview td > span { min-width: 9rem; }
  .head-detail:target { display: none; }
  .files { display: none; }
}
)css";

}  // namespace

std::string style_sheet() {
  const std::string light = plot::palette_css(plot::Scheme::light),
                    dark = plot::palette_css(plot::Scheme::dark);
  return fmt::format(
      ":root {{\n{0}}}\n@media (prefers-color-scheme: dark) {{\n:root {{\n{1}}}\n}}\n"
      // Paper is white whatever the screen is.
      "@media print {{\n:root {{\n{0}}}\n}}\n{2}{3}",
      light, dark, plot::drawing_rules(), kPageRules);
}

}  // namespace attn::report
