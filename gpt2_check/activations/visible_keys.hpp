#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>
#include <vector>

#include "gpt2_check/activations/evidence.hpp"
#include "gpt2_check/activations/said.hpp"
#include "gpt2_check/activations/shape.hpp"
#include "gpt2_check/activations/source.hpp"
#include "gpt2_check/checkpoint/safetensors.hpp"
#include "gpt2_check/heads/mask.hpp"

namespace attn::gpt2 {

/// How one layer of a recording is read.
struct Reading {
  LogitSource source{};
  Mask mask{.full = true};  ///< what hides keys beside what is said and what numbers mark
  bool zeros_hide{};        ///< whether zeros and NaN of the pattern do
  bool scores_hide{};       ///< whether the scores beside a pattern that is read do
  bool is_contradicted{};   ///< the pattern is not softmax of the logits beside it, and is read
  std::vector<std::string> remarks{};  ///< on what may not be as it was meant, a sentence each
  std::optional<double> fitting_temperature{};  ///< a T at which the pattern is that
  std::optional<double> difference{};  ///< the largest of a weight, of a pattern beside logits
};

/// [query, key] of a self-attention: what the queries see but for their own keys.
at::Tensor seen_of_others(const at::Tensor& seen);

/// Tokens of a self-attention, [query, key], that no query sees, or only their own, which sees
/// nothing else.
at::Tensor padding_in(const at::Tensor& seen);

/// What the queries of one layer see, of its tensors as recorded, padding included.
class VisibleKeys {
 public:
  /// `index`: of the layer in the file. The file must outlive this. Throws BadInput where what the
  /// file says does not fit the layer.
  VisibleKeys(const safetensors::File& file, const Said& said, const LayerShape& layer,
              std::size_t index);

  /// Decides how the layer is read. Throws BadInput where its numbers leave that open, or are none
  /// that attention makes.
  [[nodiscard]] Reading decide() const;

  /// [1 or head, query, key], booleans: what the queries see.
  [[nodiscard]] at::Tensor seen(const Reading& reading) const;

 private:
  [[nodiscard]] std::string scores() const;
  [[nodiscard]] std::string pattern() const;
  /// [query, key] of a head, in the type of the file.
  [[nodiscard]] at::Tensor recorded(const std::string& name, std::int64_t head) const;
  /// [query, key] of a head, float64.
  [[nodiscard]] at::Tensor square(const std::string& name, std::int64_t head) const;
  /// [query, key] of a head, booleans: the keys that its numbers hide.
  [[nodiscard]] at::Tensor marked(std::int64_t head, const Reading& reading) const;
  [[nodiscard]] Evidence evidence(const Reading& reading) const;
  /// `name`: of the tensor that shows it.
  void ask(const Evidence& evidence, const std::string& name) const;
  void ask_of_rows() const;
  /// Asks about values of 0 of keys that are seen.
  void ask_of_values(const Reading& reading) const;
  [[nodiscard]] Reading decide_alone(Reading reading) const;
  [[nodiscard]] Reading decide_beside_pattern() const;
  [[nodiscard]] Reading decide_against_logits() const;
  /// Adds remarks on weights that are not as a softmax makes them, and on what rounding makes of
  /// them, and what it does not.
  void remark_on_weights(Reading& reading) const;
  [[nodiscard]] std::vector<Reading> candidates() const;
  /// Whether half of the rows of every head [head, query, key] see two keys or more: those that see
  /// one agree with any logits.
  [[nodiscard]] static bool are_rows_left(const at::Tensor& seen);
  /// How far before a query's own key the farthest key is on which it has a weight.
  [[nodiscard]] std::int64_t farthest_back() const;
  [[nodiscard]] Mask up_to_own(std::int64_t window = Mask::kNoWindow) const;

  const safetensors::File& file_;
  LayerShape layer_;
  Said::Scores below_;  ///< what is said of scores that hide
  double bound_;
  Said::Zeros zeros_;
  bool are_temperatures_said_;
  bool is_mask_said_;
  bool is_full_said_{};
  at::Tensor padding_;  ///< [query], booleans; undefined: none, or nothing is said
  bool is_padding_said_{};
  at::Tensor hidden_;  ///< [1 or head, query, key], booleans: what words and tensors hide
};

}  // namespace attn::gpt2
