#pragma once

#include <filesystem>
#include <optional>

#include "reports/record/set_size.hpp"

namespace attn::gpt2 {

/// Experiment 6 as the recorder measured it on the model of a recording: the metadata `set_sizes`,
/// in the words of a report; nothing where there are none. Throws BadInput for others.
std::optional<report::SetSizes> recorded_set_sizes(const std::filesystem::path& file);

}  // namespace attn::gpt2
