#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "gpt2_check/model/gpt2.hpp"
#include "gpt2_check/model/kept_tokens.hpp"

namespace attn::gpt2 {

/// -ln p of every token but the first, given those before it, in nats: [position - 1]. `logits`
/// [position, vocabulary], `tokens` [position].
std::vector<double> token_losses(const at::Tensor& logits, const at::Tensor& tokens);

/// What a curve of losses is of.
struct LossWay {
  Ranking ranking{};
  bool renormalized{};
  std::uint64_t orders{1};  ///< at most so many orders of Ranking::random, as are_enough_orders
  std::uint64_t seed{};     ///< seeds 0, 1, ... of the orders are added to it
};

/// The losses where every query keeps N tokens.
struct KeptLosses {
  std::vector<double> means;  ///< [window], over the targets and the orders
  std::uint64_t orders{1};    ///< how many were drawn
  /// The standard error of the relative growth over the orders; nothing of one order, nor where a
  /// loss is not finite.
  std::optional<double> standard_error{};
};

/// The tokens of a window that are read, and those whose losses count: the last of them.
struct Extent {
  std::int64_t length{};
  std::int64_t targets{};  ///< at most length - 1
};

/// The losses of a model on the last tokens of some windows, each pass made once.
class Losses {
 public:
  /// All but `show` must outlive it. `show` is called after each pass.
  Losses(const Config& config, const Weights& weights, const std::vector<at::Tensor>& windows,
         Extent extent, std::function<void()> show);

  [[nodiscard]] std::int64_t length() const { return extent_.length; }

  /// The mean loss of the last `targets` tokens of each window, no more than the extent has, where
  /// all tokens are kept.
  std::vector<double> whole(std::int64_t targets);

  /// The mean loss of the last `targets` tokens of each window, no more than the extent has, where
  /// every query keeps N tokens.
  KeptLosses kept(const LossWay& way, std::int64_t n, std::int64_t targets);

 private:
  using OfWindows = std::vector<std::vector<double>>;  ///< [window][token - 1]

  [[nodiscard]] at::Tensor tokens_of(const at::Tensor& window) const;
  const OfWindows& whole_pass();
  const OfWindows& pass(const KeptTokens& kept);

  const Config& config_;
  const Weights& weights_;
  const std::vector<at::Tensor>& windows_;
  Extent extent_;
  std::function<void()> show_;
  OfWindows whole_;
  std::vector<std::vector<KeysValues>> layers_;  ///< [window][layer] of the whole pass
  std::map<KeptTokens, OfWindows> passes_;       ///< right of the last targets
};

/// The least N tested at which `grows(N)` is at most `tolerance`: of the ascending `grid`, then by
/// bisection below it, then of the three below that, for a loss need not be monotone. `grid` is not
/// empty and grows by nothing at its last N.
std::int64_t least_tested(std::span<const std::int64_t> grid, double tolerance, bool bisects,
                          const std::function<double(std::int64_t n)>& grows);

}  // namespace attn::gpt2
