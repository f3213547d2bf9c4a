#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace attn::fuzz {

/// A folder of this process in memory, for what is read from files alone.
inline const std::filesystem::path& scratch() {
  static const std::filesystem::path folder = [] {
    const auto made = std::filesystem::path("/dev/shm") / ("attn_fuzz_" + std::to_string(getpid()));
    std::filesystem::create_directories(made);
    return made;
  }();
  return folder;
}

/// Writes a file of that folder and returns its path.
inline std::filesystem::path write(const std::string& name, std::string_view bytes) {
  const std::filesystem::path path = scratch() / name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

}  // namespace attn::fuzz
