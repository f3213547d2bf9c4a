#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// What a program may write over: a file of the kind that it writes, which the same command may have
// left, and an empty one. Nothing else is written over, and no input.

/// Whether a file that begins so is of the kind that is written.
using IsOurs = std::function<bool(std::string_view beginning)>;

/// Throws BadInput, naming the path, where a file is there that is not empty and not `is_ours`,
/// which is asked with its first 4 KiB. `kind`: what is written, in words ("a report.json").
void expect_replaceable(const std::filesystem::path& path, const std::string& kind,
                        const IsOurs& is_ours);

/// Throws BadInput where the output is one of the inputs, under whatever name. "-", which is
/// standard input, and what is not there are none.
void expect_not_read(const std::filesystem::path& out,
                     const std::vector<std::filesystem::path>& inputs);

/// Whether a text begins as a JSON object whose first fields are those of `begins`, the beginning
/// of a JSON text without white space.
bool begins_as(std::string_view text, std::string_view begins);

/// The first bytes of a file, at most 4 KiB; empty where it cannot be read.
std::string beginning_of(const std::filesystem::path& path);

}  // namespace attn
