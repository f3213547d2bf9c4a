#pragma once

#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpt2_check/cli/input.hpp"
#include "gpt2_check/rows/run.hpp"
#include "theory/base/words.hpp"

namespace CLI {
class App;
}

/// The flags of each command: where their values go, and what declares them. Each function adds its
/// command to `app`; what the flags hold is their default.
namespace attn::gpt2 {

/// The values of flags. Every function throws BadInput that says what is expected and what was
/// found.
namespace arguments {

/// Integers from `lowest` on with commas between them; at least one.
std::vector<std::int64_t> integers(const std::string& value, std::int64_t lowest);

/// Token ids: integers from 0 on with commas between them, or a JSON array of them; at least one.
std::vector<std::int64_t> tokens(const std::string& value);

/// Positive finite numbers with commas between them; at least one.
std::vector<double> positive_numbers(const std::string& value);

/// `all`, `last` or `stride:k` with k >= 1.
RowSelection rows(const std::string& value);

/// `all`, which is kAllWindows, or K >= 1.
std::uint64_t windows(const std::string& value);

}  // namespace arguments

inline constexpr Word<at::ScalarType> kPrecisions[] = {{"f32", at::kFloat}, {"f64", at::kDouble}};
inline constexpr Word<at::DeviceType> kDevices[] = {{"cpu", at::kCPU}, {"cuda", at::kCUDA}};
/// The experiments that take so long that they are asked for.
enum class Experiment { set_size };

inline constexpr Word<Experiment> kExperiments[] = {{"set-size", Experiment::set_size}};
inline constexpr at::ScalarType kDefaultPrecision = at::kFloat;
inline constexpr at::DeviceType kDefaultDevice = at::kCPU;

/// Either a model with what it reads, or a recording.
struct RunFlags {
  ModelInput input;  ///< what a model reads; the name of the model is empty where there is none
  /// The precision of a model; kDefaultPrecision where not given.
  std::optional<at::ScalarType> precision;
  std::optional<at::DeviceType> device;  ///< the device of a model; kDefaultDevice where not given
  std::optional<std::string> activations;
  std::optional<Experiment> experiment;  ///< an experiment to measure at length, with a model
  RunOptions options;  ///< the options of the run, but for what follows from the input
};
CLI::App& add_run(CLI::App& app, RunFlags& flags);

struct ActivationsFlags {
  ModelInput input;
  std::string out;
};
CLI::App& add_activations(CLI::App& app, ActivationsFlags& flags);

struct TokenizeFlags {
  std::string model, file;
  bool plain_text{};  ///< read <|endoftext|> and other added tokens in the text as characters
};
CLI::App& add_tokenize(CLI::App& app, TokenizeFlags& flags);

struct InitFlags {
  std::string config;  ///< `gpt2`, or a config.json
  std::uint64_t seed{};
  std::string out;
};
CLI::App& add_init(CLI::App& app, InitFlags& flags);

}  // namespace attn::gpt2
