#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "reports/tests/browser/chromium.hpp"

namespace attn::test {

/// What a page is shown on.
struct Screen {
  int width{};  ///< CSS pixels; a phone where less than 500
  bool dark{};
  const char* media{"screen"};  ///< the medium of the page: "screen" or "print"

  /// "360 px, dark, screen"
  [[nodiscard]] std::string name() const;
};

/// Light and dark, narrow and wide.
inline constexpr Screen kScreens[] = {{360, false}, {360, true}, {1440, false}, {1440, true}};
inline constexpr Screen kWidths[] = {{360, false}, {1440, false}};

/// A tab of the browser. Every function throws std::runtime_error where the browser does not do as
/// it is told.
class Page {
 public:
  explicit Page(Chromium& browser);

  /// Loads a file and waits until it is complete.
  void open(const std::filesystem::path& file);
  void show_on(const Screen& screen);

  /// What `body`, the body of a JavaScript function, returns, or its promise is resolved to. It may
  /// use what kHelpers of page.cpp defines.
  nlohmann::json evaluate(std::string_view body);

  /// Presses and releases the tab key.
  void press_tab();

  /// The accessible names of all elements of a role ("image", "link"), as assistive technology gets
  /// them.
  std::vector<std::string> names_of(const std::string& role);

  nlohmann::json call(const std::string& method,
                      const nlohmann::json& params = nlohmann::json::object());

  /// Events of this page since it was opened.
  std::vector<nlohmann::json> events();

 private:
  nlohmann::json run_script(std::string_view body, bool by_value);

  Chromium& browser_;
  std::string session_;
};

}  // namespace attn::test
