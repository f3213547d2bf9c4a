// The kept cases, each of which the search of its claim decides again, and the refusal of a file
// that says nothing sensible.
#include "properties/search/regressions.hpp"

#include <gtest/gtest.h>

#include <string>

#include "theory/base/atomic_file.hpp"
#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/tests/temporary_folder.hpp"

namespace attn::properties {

namespace {

/// A folder with one file of this content.
class RegressionFile : public testing::Test {
 protected:
  void write(const std::string& content) const { write_file(folder_ / "case.json", content); }
  void expect_refused(BadInputParts parts) const {
    parts.where = (folder_ / "case.json").string() + parts.where;
    EXPECT_BAD_INPUT(read_regressions(folder_.path(), catalogue()), parts);
  }

  test::TemporaryFolder folder_;
};

TEST_F(RegressionFile, IsRead) {
  write(R"({"claim": "corollary3", "case": {"logits": ["0", "0"]}, "verdict": "violated",
            "found": "by hand"})");
  const std::vector<Regression> all = read_regressions(folder_.path(), catalogue());
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].claim, "corollary3");
  EXPECT_EQ(all[0].verdict, Verdict::violated);
  EXPECT_EQ(all[0].name, "case.json");
}

TEST_F(RegressionFile, OfAnUnknownVerdictIsRefused) {
  write(R"({"claim": "corollary3", "case": {"logits": ["0", "0"]}, "verdict": "false",
            "found": "by hand"})");
  expect_refused({.kind = BadInputKind::unknown_name,
                  .where = ": at \"verdict\"",
                  .expected = "one of {holds",
                  .found = "\"false\""});
}

TEST_F(RegressionFile, ThatIsNoRegressionIsRefused) {
  using enum BadInputKind;
  const std::pair<const char*, BadInputParts> refused[] = {
      {"", {.kind = malformed, .found = "not JSON"}},
      {"[]", {.kind = malformed, .found = "array"}},
      {R"({"claim": 3})", {.kind = malformed, .found = "number"}},
      {"{", {.kind = malformed, .found = "not JSON"}},
      {R"({"claim": "corollary3"})", {.kind = malformed, .found = "'case'"}},
      {R"({"claim": "none", "case": {"logits": ["0", "0"]}, "verdict": "holds", "found": "x"})",
       {.kind = unknown_name, .found = "'none'"}},
      {R"({"claim": "corollary3", "case": {"logits": ["0"]}, "verdict": "holds", "found": "x"})",
       {.kind = out_of_range, .where = ": case of corollary3: logits"}},
      {R"({"claim": "corollary3", "case": {"logits": ["0", "0"]}, "found": "x"})",
       {.kind = malformed, .found = "'verdict'"}},
  };
  for (const auto& [content, parts] : refused) {
    SCOPED_TRACE(content);
    write(content);
    expect_refused(parts);
  }
}

TEST_F(RegressionFile, AFolderThatIsNotThereIsRefused) {
  EXPECT_BAD_INPUT(read_regressions(folder_ / "none", catalogue()),
                   {.kind = BadInputKind::missing, .where = (folder_ / "none").string()});
}

}  // namespace

}  // namespace attn::properties
