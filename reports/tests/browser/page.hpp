#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "reports/tests/browser/browser.hpp"

namespace attn::test {

/// What a page is shown on.
struct Screen {
  int width{};  ///< CSS pixels; a phone where less than 500
  bool dark{};
  const char* media{"screen"};  ///< or "print"

  /// "360 px, dark, screen"
  [[nodiscard]] std::string name() const;
};

/// Light and dark, narrow and wide.
inline constexpr Screen kScreens[] = {{360, false}, {360, true}, {1440, false}, {1440, true}};
inline constexpr Screen kWidths[] = {{360, false}, {1440, false}};

/// The Shift key, held while another is pressed.
inline constexpr int kShift = 8;

/// A tab of the browser, closed with this object. Every function throws std::runtime_error where
/// the browser does not do as it is told.
class Page {
 public:
  explicit Page(Browser& browser);
  ~Page();
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  /// Loads a file and waits until it is complete.
  void open(const std::filesystem::path& file);
  void show_on(const Screen& screen);
  void disable_scripts();

  /// What `body`, the body of a JavaScript function, returns, or its promise is resolved to. It may
  /// use what kHelpers of page.cpp defines.
  nlohmann::json evaluate(std::string_view body);

  /// Whether `condition`, a JavaScript expression, becomes true within a minute.
  bool becomes(std::string_view condition);

  /// Presses and releases Tab, Enter, Escape, Home, End, ArrowRight or ArrowDown.
  void press(const std::string& key, int modifiers = 0);

  /// Scrolls to the first element that matches and clicks on its centre.
  void click(std::string_view selector);

  /// The accessible names of all elements of a role ("image", "link"), as assistive technology gets
  /// them.
  std::vector<std::string> names_of(const std::string& role);

  /// The accessible name of the first element that matches.
  std::string name_of(std::string_view selector);

  /// What is in view, as a PNG in base64.
  std::string picture();

  nlohmann::json call(const std::string& method,
                      const nlohmann::json& params = nlohmann::json::object());

  /// Events of this page since it was opened.
  std::vector<nlohmann::json> events();

 private:
  nlohmann::json run_script(std::string_view body, bool by_value);

  Browser& browser_;
  std::string target_, session_;
};

/// A string as JavaScript source.
std::string js_string(std::string_view text);

}  // namespace attn::test
