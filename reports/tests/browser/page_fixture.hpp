#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <iosfwd>
#include <string_view>

#include "reports/tests/browser/page.hpp"

namespace attn::test {

/// A page of the sample report of a model of so many layers and heads a layer, or of as many
/// inputs of such models as ./verify checks by itself, in which every claim of the catalogue is.
struct SamplePage {
  const char* file;
  unsigned layers{2}, heads{3};
  bool is_of_all_inputs{false};
};

/// "inputs/tiny.html of 6 heads"
std::ostream& operator<<(std::ostream& out, const SamplePage& page);

/// A page of each kind.
inline constexpr SamplePage kPages[] = {
    {"index.html"}, {"claims/theorem1.fixed.html"}, {"inputs/tiny.html"}};

/// Tests of a page of the sample report in Chromium; skipped where there is none. All tests of a
/// process share one browser and one tab. Whatever they do with it, it fetches nothing but the page
/// and logs nothing.
class PageTest : public testing::TestWithParam<SamplePage> {
 protected:
  void SetUp() override;
  void TearDown() override;

  /// The page that tests share, with every <details> closed, as it is opened first, or open. What
  /// it is shown on is left from the test before.
  [[nodiscard]] Page& folded();
  [[nodiscard]] Page& unfolded();

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  Page& shared();

  std::filesystem::path file_;
  Page* shared_{};  ///< once the test has used it
};

/// Runs a check, the body of a JavaScript function that returns `seen`, how many things it looked
/// at, and `problems`, a string for each that is wrong. Fails where there is a problem, and where
/// it looked at nothing.
void expect_no_problem(Page& page, std::string_view check);

}  // namespace attn::test
