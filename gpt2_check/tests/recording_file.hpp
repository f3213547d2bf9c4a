#pragma once

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/softmax.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/activations/sources.hpp"
#include "gpt2_check/tests/support.hpp"
#include "gpt2_check/tests/write_tensors.hpp"

namespace attn::gpt2::test {

using Tensors = std::map<std::string, at::Tensor>;
using Metadata = std::map<std::string, std::string>;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// [query, key], booleans: the keys after a query's own.
inline at::Tensor later_keys(std::int64_t positions) {
  return at::ones({positions, positions}, at::kBool).triu(1);
}

/// The remarks on a recording, a line each.
inline std::string all_remarks(const ActivationSource& source) {
  return fmt::format("{}", fmt::join(source.shape().remarks, "\n"));
}

/// A test that writes recordings and opens them. Its random numbers are the same in every run: of
/// some others rounding to 16 bits hides what is to be seen.
class WithRecording : public attn::test::WithFolder {
 protected:
  WithRecording() { at::manual_seed(1); }

  [[nodiscard]] std::unique_ptr<ActivationSource> opened(const Tensors& tensors,
                                                         const Metadata& metadata = {}) const {
    const auto path = folder / "recording.safetensors";
    safetensors::write(path, tensors, metadata);
    return open_recording(path);
  }

  [[nodiscard]] static std::vector<LayerRows> layers_of(ActivationSource& source) {
    std::vector<LayerRows> layers;
    source.for_each_layer([&](const LayerRows& rows) { layers.push_back(rows); });
    return layers;
  }

  /// The one layer of a recording.
  [[nodiscard]] LayerRows layer_of(const Tensors& tensors, const Metadata& metadata = {}) const {
    const auto source = opened(tensors, metadata);
    return layers_of(*source).at(0);
  }

  void expect_refused(const Tensors& tensors, const BadInputParts& parts,
                      const Metadata& metadata = {}) const {
    EXPECT_BAD_INPUT(opened(tensors, metadata), parts);
  }
};

}  // namespace attn::gpt2::test
