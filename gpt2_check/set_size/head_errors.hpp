#pragma once

#include <ATen/core/Tensor.h>

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gpt2_check/model/gpt2.hpp"
#include "reports/record/set_size.hpp"

namespace attn::gpt2 {

/// What keeping the N largest of `weights` [L], of sum 1, does to the output o = sum_i a_i x_i, for
/// each N of `counts`, 1 <= N < L. `values`: x_i, [L, d]. Errors and bounds are in units of ||o||,
/// which is above 0.
std::vector<report::SetSizeError> head_errors(const Eigen::ArrayXd& weights,
                                              const Eigen::MatrixXd& values,
                                              std::span<const std::int64_t> counts);

/// Their means over the last query of every head of a model on `tokens` [position]; heads whose
/// output is 0 are left out.
std::vector<report::SetSizeError> mean_head_errors(const Config& config, const Weights& weights,
                                                   const at::Tensor& tokens,
                                                   std::span<const std::int64_t> counts);

}  // namespace attn::gpt2
