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
  bool are_scores{};  ///< the numbers are scores; else weights
  bool is_mask_said{}, is_padding_said{};
  bool is_full_said{};  ///< whether the word `mask` is full
  bool are_zeros_said{};
  bool are_zeros_weights{};  ///< whether it is said that zeros are weights
  bool are_all_scores{};     ///< whether it is said that no finite score hides
  bool has_pattern{};        ///< a pattern lies beside scores: it decides between masks
  bool has_sink{};           ///< a learned sink lies beside them
  bool has_mask{};           ///< a tensor hook_mask does
  bool has_values{};         ///< values do
  bool has_outputs{};        ///< outputs do, which are compared with what is read
  bool are_temperatures_said{};
  bool is_batched{};  ///< whether a batch dimension of 1 was taken off
  std::int64_t heads{}, queries{}, keys{};
  std::string where{};  ///< the tensor, as a message names it
  /// A place as recorded: "[0, 1, 2]", with a batch dimension "[0, 0, 1, 2]".
  std::function<std::string(const std::vector<std::int64_t>& place)> at{};
};

/// One thing that a recording can show, and what it is read as.
struct Rule {
  const char* seen;     ///< what the numbers show, as README.md has it
  const char* outcome;  ///< what that is read as, or what settles it
  /// The message where it is refused or asked about; nothing where the numbers do not show it, or
  /// something settles it. None of what is read.
  std::optional<BadInputParts> (*ask)(const Evidence& evidence, const Asked& asked);
};

/// All rules; what is asked in the order in which it is asked.
const std::vector<Rule>& rules();

/// The first message that a rule has for this evidence; nothing where none has one.
std::optional<BadInputParts> first_question(const Evidence& evidence, const Asked& asked);

/// The table in gpt2_check/README.md, Markdown.
std::string table_of_rules();

}  // namespace attn::gpt2
