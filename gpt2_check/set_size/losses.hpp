#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
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
  std::uint64_t orders{1};  ///< how many orders of Ranking::random: seeds 0, 1, ... added to `seed`
  std::uint64_t seed{};
};

/// The losses of a model on the last `length` tokens of some windows, each pass made once.
class Losses {
 public:
  /// All but `show` must outlive it. `show` is called after each pass.
  Losses(const Config& config, const Weights& weights, const std::vector<at::Tensor>& windows,
         std::int64_t length, std::function<void()> show);

  [[nodiscard]] std::int64_t length() const { return length_; }

  /// The mean loss of the last `targets` tokens of each window where all tokens are kept.
  std::vector<double> whole(std::int64_t targets);

  /// The mean loss of the last `targets` tokens of each window where every query keeps N tokens, as
  /// a mean over the orders.
  std::vector<double> kept(const LossWay& way, std::int64_t n, std::int64_t targets);

 private:
  /// [window][token - 1]
  const std::vector<std::vector<double>>& pass(const std::optional<KeptTokens>& kept);

  const Config& config_;
  const Weights& weights_;
  const std::vector<at::Tensor>& windows_;
  std::int64_t length_;
  std::function<void()> show_;
  std::map<std::optional<KeptTokens>, std::vector<std::vector<double>>> passes_;
};

/// By how much of itself the mean of `whole` grows to that of `kept`.
double relative_growth(std::span<const double> kept, std::span<const double> whole);

/// The 95 % interval of relative_growth, by a bootstrap over the windows; nothing of one window.
std::optional<std::pair<double, double>> growth_interval(std::span<const double> kept,
                                                         std::span<const double> whole,
                                                         std::uint64_t seed);

/// The least N tested at which `grows(N)` is at most `tolerance`: of the ascending `grid`, then by
/// bisection below it, then of the three below that, for a loss need not be monotone. `grid` is not
/// empty and grows by nothing at its last N.
std::int64_t least_tested(std::span<const std::int64_t> grid, double tolerance, bool bisects,
                          const std::function<double(std::int64_t n)>& grows);

}  // namespace attn::gpt2
