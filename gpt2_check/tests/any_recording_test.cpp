// Recordings with names, types, shapes, numbers and metadata that no recorder would write: each is
// read, or refused in one line.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/scalar_tensor.h>

#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "gpt2_check/activations/names.hpp"
#include "gpt2_check/activations/sources.hpp"
#include "gpt2_check/checkpoint/safetensors.hpp"
#include "gpt2_check/tests/all_heads.hpp"
#include "gpt2_check/tests/support.hpp"
#include "gpt2_check/tests/write_tensors.hpp"

namespace attn::gpt2 {
namespace {

constexpr unsigned kTried = 4000;

const at::ScalarType kTypes[] = {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16,
                                 at::kLong,   at::kInt,   at::kChar, at::kByte};
const double kNumbers[] = {0,
                           -0.0,
                           -1,
                           1e-320,
                           1e-300,
                           1e300,
                           -1e300,
                           std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()};
const char* const kMetadata[] = {
    "",          "causal",         "full",       "window:2", "window:1",
    "window:-1", "window:",        "[1, 2]",     "[1]",      "[0]",
    "[1e-320]",  "[1e999]",        "[-1, 1]",    "[null]",   "{}",
    "[[[[[[",    "[\"1\", \"2\"]", "window:9e9", "\n",       "window:99999999999999999999"};

/// A recording before it is written, and the draws that it is made of.
class Draft {
 public:
  explicit Draft(unsigned seed) : stream_(seed) {
    const std::int64_t positions = draw(1, 4), key_heads = draw(1, 2), width = draw(1, 3);
    const std::int64_t heads = key_heads * draw(1, 2), layers = draw(1, 3);
    const std::vector<std::int64_t> queries{positions, heads, width},
        keys{positions, key_heads, width}, squares{heads, positions, positions};
    const auto kind = draw(0, 3);
    const bool has_values = draw(0, 1) == 1;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
      if (kind == 0 || kind == 1) {
        put(kind == 0 ? names::q(layer) : names::rotary_q(layer), queries);
        put(kind == 0 ? names::k(layer) : names::rotary_k(layer), keys);
      } else {
        put(kind == 2 ? names::scores(layer) : names::pattern(layer), squares);
      }
      if (has_values) put(names::v(layer), kind < 2 || heads % key_heads == 0 ? keys : queries);
      // A query sees no key after it.
      if (kind > 1) tensors_.at(kind == 2 ? names::scores(layer) : names::pattern(layer)).tril_();
    }
  }

  void break_something() {
    const std::string name = any_name();
    at::Tensor& tensor = tensors_.at(name);
    switch (draw(0, 7)) {
      case 0:
        tensors_.erase(name);
        if (tensors_.empty()) put("other", {1});
        break;
      case 1:
        tensors_[other_name()] = tensor;
        break;
      case 2:
        tensor = tensor.to(pick(kTypes));
        break;
      case 3: {
        std::vector<std::int64_t> shape = tensor.sizes().vec();
        if (!shape.empty()) shape[index(shape.size())] = draw(0, 4);
        put(name, shape);
        break;
      }
      case 4: {
        std::vector<std::int64_t> shape = tensor.sizes().vec();
        shape.resize(index(5), 1);
        put(name, shape);
        break;
      }
      case 5:
        if (tensor.numel() > 0 && at::isFloatingType(tensor.scalar_type())) {
          tensor.flatten()[draw(0, tensor.numel() - 1)].copy_(
              at::scalar_tensor(pick(kNumbers), at::kDouble));
        }
        break;
      case 6:
        metadata_[draw(0, 1) == 0 ? names::kMask : names::kTemperatures] = pick(kMetadata);
        break;
      default:
        put(names::kTokens, {draw(0, 4)});
        if (draw(0, 1) == 0)
          tensors_.at(names::kTokens) = tensors_.at(names::kTokens).to(at::kLong);
    }
  }

  void write(const std::filesystem::path& path) const {
    safetensors::write(path, tensors_, metadata_);
  }

  std::int64_t draw(std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution(least, most)(stream_);
  }

 private:
  std::size_t index(std::size_t size) {
    return static_cast<std::size_t>(draw(0, static_cast<std::int64_t>(size) - 1));
  }
  template <class T, std::size_t N>
  T pick(const T (&values)[N]) {
    return values[index(N)];
  }

  void put(const std::string& name, const std::vector<std::int64_t>& shape) {
    tensors_[name] = at::rand(shape, at::kDouble) + 0.5;
  }

  std::string any_name() {
    return std::next(tensors_.begin(), draw(0, static_cast<std::int64_t>(tensors_.size()) - 1))
        ->first;
  }

  std::string other_name() {
    const std::int64_t layer = draw(0, 3);
    const std::string names[] = {names::q(layer),
                                 names::k(layer),
                                 names::rotary_q(layer),
                                 names::rotary_k(layer),
                                 names::v(layer),
                                 names::scores(layer),
                                 names::pattern(layer),
                                 names::q(999999),
                                 std::string(100000, 'b'),
                                 "blocks.1.attn.hook_",
                                 "\n"};
    return names[index(std::size(names))];
  }

  std::mt19937_64 stream_;
  std::map<std::string, at::Tensor> tensors_;
  std::map<std::string, std::string> metadata_;
};

class AnyRecording : public test::WithFolder {
 protected:
  /// Whether the file is read to its end; else it is refused in one line.
  [[nodiscard]] static bool is_read(const std::filesystem::path& path) {
    try {
      const auto recording = open_recording(path);
      std::int64_t layers = 0;
      recording->for_each_layer([&](const LayerRows& rows) {
        ++layers;
        EXPECT_GT(rows.temperature, 0);
        for (const at::Tensor& tensor :
             {rows.q, rows.k, rows.v, all_heads(rows.scores), all_heads(rows.weights)}) {
          EXPECT_TRUE(!tensor.defined() || at::isfinite(tensor).all().item<bool>());
        }
      });
      EXPECT_EQ(layers, std::ssize(recording->shape().layers));
      return true;
    } catch (const BadInput& error) {
      EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos) << error.what();
      return false;
    }
  }
};

TEST_F(AnyRecording, IsReadOrRefusedInOneLine) {
  unsigned read = 0;
  for (unsigned seed = 0; seed < kTried; ++seed) {
    SCOPED_TRACE(seed);
    Draft draft(seed);
    for (auto times = draft.draw(0, 3); times > 0; --times) draft.break_something();
    const auto path = folder / "rows.safetensors";
    draft.write(path);
    ASSERT_NO_THROW(read += is_read(path) ? 1U : 0U);
    if (HasFailure()) break;
  }
  // Enough of either that neither is rare.
  EXPECT_GT(read, kTried / 10);
  EXPECT_LT(read, kTried - kTried / 10);
}

}  // namespace
}  // namespace attn::gpt2
