#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gpt2_check/activations/evidence.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::gpt2 {

/// What is known of a layer's scores or weights before their numbers are read.
struct Asked {
  bool are_scores{};  ///< else weights
  bool is_mask_said{}, is_padding_said{}, are_zeros_said{}, is_bound_said{};
  bool has_pattern{};  ///< beside scores: it decides between masks
  std::int64_t queries{}, keys{};
  std::string where{};  ///< the tensor, as a message names it
  /// A place as recorded: "[0, 1, 2]", with a batch dimension "[0, 0, 1, 2]".
  std::function<std::string(const std::vector<std::int64_t>& place)> at{};
};

/// One thing that numbers can show and nothing says, or that no attention makes.
struct Question {
  const char* seen;     ///< in the numbers, as README.md has it
  const char* settled;  ///< by what: metadata, a tensor, a slice
  /// The message; nothing where the numbers do not show it, or something settles it.
  std::optional<BadInputParts> (*ask)(const Evidence& evidence, const Asked& asked);
};

/// All, in the order in which they are asked.
const std::vector<Question>& questions();

/// The first that there is.
std::optional<BadInputParts> first_question(const Evidence& evidence, const Asked& asked);

/// The rows of the table in gpt2_check/README.md, Markdown, a line each.
std::string table_of_questions();

}  // namespace attn::gpt2
