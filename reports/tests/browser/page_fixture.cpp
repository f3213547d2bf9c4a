#include "reports/tests/browser/page_fixture.hpp"

#include "reports/html/page.hpp"
#include "reports/tests/browser/chromium.hpp"
#include "reports/tests/sample_report.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/tests/temporary_folder.hpp"

namespace attn::test {
namespace {

constexpr std::size_t kMostShown = 20;

const std::filesystem::path& sample_page() {
  static const TemporaryFolder folder;
  static const std::filesystem::path file = [] {
    write_file(folder / "index.html", report::page_of(report::sample_report()).html);
    return folder / "index.html";
  }();
  return file;
}

}  // namespace

void PageTest::SetUp() {
  if (find_chromium().empty()) {
    GTEST_SKIP() << "no chromium, chromium-browser or google-chrome on PATH: install the package "
                    "chromium, or name the program in ATTN_CHROMIUM";
  }
  file_ = is_sample() ? sample_page() : std::filesystem::path(ATTN_EXAMPLE_PAGE);
  ASSERT_TRUE(std::filesystem::exists(file_)) << "no example page " << file_;
}

bool PageTest::is_sample() const {
  return std::string_view(GetParam()) == "sample";
}

std::span<const Screen> PageTest::screens() const {
  if (is_sample()) return kScreens;
  return kFewScreens;
}

Browser& PageTest::browser() {
  static Browser browser(find_chromium());
  return browser;
}

void expect_no_problem(Page& page, std::string_view check) {
  const nlohmann::json found = page.evaluate(check);
  EXPECT_GT(found.at("seen").get<int>(), 0) << "nothing to check";
  const nlohmann::json& problems = found.at("problems");
  for (std::size_t i = 0; i < std::min(problems.size(), kMostShown); ++i) {
    ADD_FAILURE() << problems[i].get<std::string>();
  }
  if (problems.size() > kMostShown)
    ADD_FAILURE() << "and " << problems.size() - kMostShown << " more";
}

void unfold(Page& page) {
  page.evaluate("for (const details of all('details')) details.open = true;");
}

std::string page_name(const testing::TestParamInfo<const char*>& info) {
  return info.param;
}

}  // namespace attn::test
