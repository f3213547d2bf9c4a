#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace attn::report {

/// Whether the environment asks to accept what the writers write now (ATTN_ACCEPT=1).
bool accepts_golden_files();

/// Makes `folder` hold `files` (name -> content) and nothing else.
void accept_golden_files(const std::filesystem::path& folder,
                         const std::map<std::string, std::string>& files);

/// How `files` differ from those in `folder`: for each file the first line that differs, as
/// accepted and as written, and how to accept it; also files that only one side has. Empty where
/// all are the same.
std::string golden_difference(const std::filesystem::path& folder,
                              const std::map<std::string, std::string>& files);

/// The first line in which two texts differ: its number and both versions, cut to what surrounds
/// the first byte that differs where they are long. Empty where the texts are equal.
std::string first_difference(const std::string& accepted, const std::string& written);

}  // namespace attn::report
