#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "theory/base/bad_input.hpp"

namespace attn::test {

/// A test with a folder of its own, removed at the end.
class WithFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "attn.XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    const std::filesystem::path path = folder / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  std::filesystem::path folder;
};

inline std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Expects BadInput of one line whose message matches.
template <class Body, class Matcher>
void expect_bad_input(const Body& body, const Matcher& message) {
  try {
    body();
    FAIL() << "expected BadInput, nothing was thrown";
  } catch (const BadInput& error) {
    EXPECT_THAT(std::string(error.what()), message);
    EXPECT_THAT(std::string(error.what()), ::testing::Not(::testing::HasSubstr("\n")));
  }
}

}  // namespace attn::test
