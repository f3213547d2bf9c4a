#include "reports/tests/browser/page.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace attn::test {
namespace {

using nlohmann::json;

constexpr int kHeight = 800;
constexpr int kPhone = 500;

constexpr std::string_view kHelpers = R"js(
const all = selector => [...document.querySelectorAll(selector)];
const shown = element => element.checkVisibility({checkOpacity: true, checkVisibilityCSS: true}) &&
  element.getClientRects().length > 0;
const classesOf = element => element.getAttribute('class') || '';
const nameOf = element => element.localName + (element.id ? '#' + element.id : '') +
  (classesOf(element) ? '.' + classesOf(element) : '') + ' "' +
  (element.getAttribute('aria-label') || element.textContent).trim().slice(0, 40) + '"';
)js";

}  // namespace

std::string Screen::name() const {
  return fmt::format("{} px, {}, {}", width, dark ? "dark" : "light", media);
}

Page::Page(Chromium& browser) : browser_(browser) {
  const json target = browser_.call("Target.createTarget", {{"url", "about:blank"}});
  session_ =
      browser_
          .call("Target.attachToTarget", {{"targetId", target.at("targetId")}, {"flatten", true}})
          .at("sessionId");
  for (const char* const domain : {"Page", "Network", "Runtime", "Log"}) {
    call(fmt::format("{}.enable", domain));
  }
  call("Emulation.setFocusEmulationEnabled", {{"enabled", true}});
}

void Page::open(const std::filesystem::path& file) {
  browser_.take_events();
  const json answer = call("Page.navigate", {{"url", fmt::format("file://{}", file.string())}});
  if (answer.contains("errorText")) {
    throw std::runtime_error(fmt::format("{}: {}", file.string(), answer.at("errorText").dump()));
  }
  evaluate(
      "return document.readyState === 'complete' ||"
      "  new Promise(done => addEventListener('load', () => done(true)));");
}

void Page::show_on(const Screen& screen) {
  call("Emulation.setDeviceMetricsOverride", {{"width", screen.width},
                                              {"height", kHeight},
                                              {"deviceScaleFactor", 1},
                                              {"mobile", screen.width < kPhone}});
  const json scheme = {{"name", "prefers-color-scheme"}, {"value", screen.dark ? "dark" : "light"}};
  call("Emulation.setEmulatedMedia",
       {{"media", screen.media}, {"features", json::array({scheme})}});
}

json Page::evaluate(std::string_view body) {
  return run_script(body, true).value("value", json());
}

void Page::press_tab() {
  for (const char* const type : {"keyDown", "keyUp"}) {
    call("Input.dispatchKeyEvent",
         {{"type", type}, {"key", "Tab"}, {"code", "Tab"}, {"windowsVirtualKeyCode", 9}});
  }
}

std::vector<std::string> Page::names_of(const std::string& role) {
  const json document = run_script("return document;", false);
  const json found =
      call("Accessibility.queryAXTree", {{"objectId", document.at("objectId")}, {"role", role}});
  std::vector<std::string> names;
  for (const json& node : found.at("nodes")) {
    if (node.at("ignored") == true) continue;  // not rendered
    names.push_back(node.contains("name") ? node.at("name").value("value", "") : "");
  }
  return names;
}

json Page::call(const std::string& method, const json& params) {
  return browser_.call(method, params, session_);
}

std::vector<json> Page::events() {
  std::vector<json> mine;
  for (json& event : browser_.take_events()) {
    if (event.value("sessionId", "") == session_) mine.push_back(std::move(event));
  }
  return mine;
}

json Page::run_script(std::string_view body, bool by_value) {
  const json answer =
      call("Runtime.evaluate", {{"expression", fmt::format("(() => {{{}{}}})()", kHelpers, body)},
                                {"returnByValue", by_value},
                                {"awaitPromise", true}});
  if (answer.contains("exceptionDetails")) {
    throw std::runtime_error(
        fmt::format("a script of the test failed: {}", answer.at("exceptionDetails").dump()));
  }
  return answer.at("result");
}

}  // namespace attn::test
