#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gpt2_check/activations/source.hpp"
#include "gpt2_check/heads/head.hpp"
#include "gpt2_check/model/gpt2.hpp"
#include "reports/record/set_size.hpp"

namespace attn::gpt2 {

/// How much of experiment 6 is done.
struct SetSizeSettings {
  std::vector<std::int64_t> lengths;  ///< L of the nested contexts, which end together; ascending,
                                      ///< in 2..tokens of a window
  std::int64_t targets{};             ///< last tokens that every context is judged by, >= 1
  std::uint64_t orders{};             ///< random orders at most, >= 1
  std::uint64_t seed{};               ///< the seed of the orders and of the bootstrap
};

/// The settings of the experiment: as its authors do it, contexts of 256, 512 and 1,024 tokens, the
/// last 128 as targets, up to 16 random orders; else, in a form of seconds, contexts of 64, 128 and
/// 256 tokens, the last 32 as targets, 4 orders.
SetSizeSettings set_size_settings(bool as_authors, std::int64_t tokens, std::uint64_t seed);

/// Measures the loss of a model on a text. `windows`: ids [position], all of one length of two
/// tokens or more. At the longest length the loss of all tokens is measured for every ranking; at
/// each length that of the targets where the largest weights are kept. A curve costs a pass for
/// each N tested, and all curves of one length share the pass that keeps everything. `show` is told
/// of every pass over the windows, and of how many there will be at most. Random orders are drawn
/// as are_enough_orders says, up to so many as the settings have.
report::SetSizes measure_set_sizes(
    const Config& config, const Weights& weights, const std::vector<at::Tensor>& windows,
    const SetSizeSettings& settings,
    const std::function<void(std::uint64_t done, std::uint64_t at_most)>& show);

/// What keeping the N largest weights does to the output o of the last row of a head, of L tokens,
/// for each N of `counts`, which ascend, 1 <= N < L. Errors and bounds are in units of ||o||;
/// nothing where that is 0.
std::vector<report::SetSizeError> head_errors(const Head& head,
                                              std::span<const std::int64_t> counts);

/// The means of head_errors over the heads of a source; heads whose output is 0 are left out.
std::vector<report::SetSizeError> mean_head_errors(ActivationSource& source,
                                                   std::span<const std::int64_t> counts);

}  // namespace attn::gpt2
