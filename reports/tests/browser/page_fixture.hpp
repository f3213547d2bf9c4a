#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "reports/tests/browser/page.hpp"

namespace attn::test {

/// Tests of index.html in Chromium, each for two pages: that of the sample report ("sample") and
/// the example in the sources ("example"). They are skipped where there is no Chromium, or no
/// example. All tests of a process share one browser, and most of them one tab: the page takes
/// seconds to load and to lay out. Whatever they do with that, it fetches nothing but itself and
/// logs nothing.
class PageTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override;
  void TearDown() override;

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  static Browser& browser();

  /// The page that tests share, with every <details> closed, as it is opened first, or open. What
  /// it is shown on is left from the test before.
  [[nodiscard]] Page& folded();
  [[nodiscard]] Page& unfolded();

  /// Those of `screens` that a costly check is made on: all for the sample; for the example, which
  /// has the same style and is so long that a screen takes seconds, the last.
  [[nodiscard]] std::span<const Screen> of(std::span<const Screen> screens) const;

  [[nodiscard]] bool is_sample() const;

 private:
  Page& shared();

  std::filesystem::path file_;
  Page* shared_{};  ///< once the test has used it
};

/// Runs a check, the body of a JavaScript function that returns `seen`, how many things it looked
/// at, and `problems`, a string for each that is wrong. Fails where there is a problem, and where
/// it looked at nothing.
void expect_no_problem(Page& page, std::string_view check);

/// The name of a test's page, for INSTANTIATE_TEST_SUITE_P.
std::string page_name(const testing::TestParamInfo<const char*>& info);

}  // namespace attn::test

/// The tests of a suite for both pages, an instance each: they run side by side.
#define ATTN_FOR_BOTH_PAGES(suite)                                                   \
  INSTANTIATE_TEST_SUITE_P(SamplePage, suite, testing::Values("sample"), page_name); \
  INSTANTIATE_TEST_SUITE_P(ExamplePage, suite, testing::Values("example"), page_name)
