#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "theory/base/atomic_file.hpp"
#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/tests/temporary_folder.hpp"

namespace attn::test {

/// A test with a folder of its own, removed at the end.
class WithFolder : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    std::filesystem::path path = folder / name;
    write_file(path, bytes);
    return path;
  }

  const TemporaryFolder own_folder;
  const std::filesystem::path folder = own_folder.path();
};

}  // namespace attn::test
