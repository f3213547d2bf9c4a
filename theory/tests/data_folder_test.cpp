#include "theory/base/data_folder.hpp"

#include <gtest/gtest.h>

#include "theory/tests/temporary_folder.hpp"

namespace attn {
namespace {

namespace fs = std::filesystem;

TEST(DataFolder, IsTheOneInstalledWithTheProgram) {
  const test::TemporaryFolder prefix;
  const fs::path installed = prefix / "share" / "attention_limits" / "tiny" / "model";
  fs::create_directories(installed);
  EXPECT_EQ(data_folder_beside(prefix / "bin", "tiny/model", "/sources/tiny"), installed);
}

TEST(DataFolder, IsThatOfTheSourcesWhereNothingIsInstalled) {
  const test::TemporaryFolder prefix;
  fs::create_directories(prefix / "share" / "attention_limits" / "other");
  EXPECT_EQ(data_folder_beside(prefix / "bin", "tiny/model", "/sources/tiny"), "/sources/tiny");
  EXPECT_EQ(data_folder("tiny/model", "/sources/tiny"), "/sources/tiny");
}

}  // namespace
}  // namespace attn
