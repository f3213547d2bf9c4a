#pragma once

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gpt2_check/heads/mask.hpp"

namespace attn::gpt2 {

/// What the logits of a layer come from.
enum class LogitSource { queries_and_keys, scores, weights };

/// What one layer of a source has. The queries are the last ones of its tokens: of a layer with
/// fewer queries than keys, the last query has the last key for its own.
struct LayerShape {
  std::int64_t layer{};  ///< the number of the layer, 0-based
  LogitSource source{LogitSource::queries_and_keys};
  std::int64_t heads{};
  std::int64_t queries{}, keys{};  ///< without padding, and without a learned sink
  /// The heads of k or else of v: head h of the queries reads number h / (heads/key_heads).
  std::int64_t key_heads{};
  std::int64_t width{};        ///< the width of q and k; 0 where they are not read
  std::int64_t value_width{};  ///< the width of v; 0 where there is none
  bool has_sink{false};        ///< one more key, before all others
  bool has_outputs{false};  ///< whether outputs are recorded, and are its weights times its values
  double temperature{};     ///< the paper's T
  /// The largest difference of a recorded pattern's weight from softmax(l/T); nothing without a
  /// pattern beside logits.
  std::optional<double> difference{};
  bool is_contradicted{false};  ///< where the types do not explain it: the pattern is read instead
  std::optional<double> fitting_temperature{};  ///< a T at which the pattern is that

  /// What one query sees.
  struct Reach {
    std::int64_t most{};  ///< tokens, in any head
    bool is_whole{true};  ///< in each head it sees the tokens up to its own
  };
  /// What each query sees, by query; empty where each sees the tokens up to its own.
  std::vector<Reach> rows{};

  [[nodiscard]] bool has_queries() const { return source == LogitSource::queries_and_keys; }
  [[nodiscard]] bool has_values() const { return value_width > 0; }

  /// Whether every token has a key.
  [[nodiscard]] bool has_key_of_each() const { return has_queries() && !has_sink; }

  /// d: of q and k, or where they are not read of v; 0 without either.
  [[nodiscard]] std::int64_t head_width() const { return width > 0 ? width : value_width; }

  /// Whether T is 1 over a number, as the factor of q.k is that stands in its place.
  [[nodiscard]] bool is_factor_of(double number) const {
    return std::abs(temperature * number - 1) < 1e-6;
  }

  /// The keys, and the sink.
  [[nodiscard]] std::int64_t tokens() const { return keys + (has_sink ? 1 : 0); }

  /// The query whose own token is the L-th; of short layers there may be none, and it is negative.
  [[nodiscard]] std::int64_t row_of(std::int64_t length) const {
    return length - 1 - (tokens() - queries);
  }

  [[nodiscard]] Reach reach(std::int64_t row) const;

  /// Whether a row sees the first L tokens, and its own is the last of them.
  [[nodiscard]] bool has_length(std::int64_t length) const;

  /// Notes what the queries see: by the mask, or where it is defined by `seen`, [head, query, key],
  /// booleans without a sink, which every query sees.
  void see(const Mask& mask, const at::Tensor& seen);
};

/// The layers of a source.
struct ActivationShape {
  std::vector<LayerShape> layers{};    ///< in order, one at least
  std::string checked{};               ///< what its recorder says of the weights; empty: nothing
  std::string mask_words{};            ///< what the report calls the masks; empty: causal
  std::vector<std::string> remarks{};  ///< on what may not be as it was meant, a sentence each
  std::uint64_t padding{};             ///< positions that were left out: no other query sees them
  std::uint64_t padding_that_sees{};   ///< positions left out whose queries see keys
  std::uint64_t rows_left_out{};       ///< rows of heads that see fewer than two keys, where the
                                       ///< recording itself says what they see

  /// The heads of all layers together.
  [[nodiscard]] std::int64_t heads() const;

  /// The most queries of a layer.
  [[nodiscard]] std::int64_t queries() const;

  /// The most tokens that a query sees, in any layer and head.
  [[nodiscard]] std::int64_t longest_row() const;

  /// Whether every layer has a row that sees the first L tokens, the last of them its own.
  [[nodiscard]] bool has_length(std::int64_t length) const;

  /// The largest L of these; 0 where there is none above 1.
  [[nodiscard]] std::int64_t longest_length() const;

  /// Whether any query, in any layer and head, at this row sees two tokens.
  [[nodiscard]] bool sees_two(std::int64_t row) const;

  /// What all layers have alike of a member or a method without arguments of LayerShape; nothing
  /// where they differ.
  template <class Member>
  [[nodiscard]] auto common(Member member) const {
    const auto of = [&](const LayerShape& layer) { return std::invoke(member, layer); };
    const auto first = of(layers.front());
    const bool is_same =
        std::ranges::all_of(layers, [&](const LayerShape& layer) { return of(layer) == first; });
    return is_same ? std::optional(first) : std::nullopt;
  }

  /// Whether `member` holds of some layer.
  template <class Member>
  [[nodiscard]] bool any(Member member) const {
    return std::ranges::any_of(layers, member);
  }
};

}  // namespace attn::gpt2
