#include "gpt2_check/cli/input.hpp"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "gpt2_check/checkpoint/config.hpp"
#include "gpt2_check/checkpoint/locate.hpp"
#include "gpt2_check/tokenizer/tokenizer.hpp"
#include "gpt2_check/tokenizer/utf8.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/one_line.hpp"
#include "theory/base/sha256.hpp"

namespace attn::gpt2 {
namespace {

void check_ids(const std::vector<std::int64_t>& tokens, const Config& config) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] >= config.vocabulary) {
      throw BadInput(
          {.kind = BadInputKind::out_of_range,
           .where = fmt::format("token id at position {}", i),
           .expected = fmt::format("one of the model's vocabulary, 0..{}", config.vocabulary - 1),
           .found = fmt::format("{}", tokens[i])});
    }
  }
}

void check_count(std::size_t tokens, const Config& config) {
  if (static_cast<std::int64_t>(tokens) > config.positions) {
    throw BadInput({.kind = BadInputKind::too_large,
                    .where = "--tokens",
                    .expected = fmt::format("at most {} tokens", config.positions),
                    .found = fmt::format("{}", tokens),
                    .advice = "the model reads no more"});
  }
}

std::vector<std::int64_t> text_tokens(const std::filesystem::path& folder, const std::string& text,
                                      const std::string& file, const Config& config) {
  auto tokens = tokenize(folder, text, file);
  if (tokens.empty()) {
    throw BadInput({.kind = BadInputKind::missing,
                    .where = file,
                    .expected = "at least one token",
                    .found = "an empty text"});
  }
  if (static_cast<std::int64_t>(tokens.size()) > config.positions) {
    fmt::print(stderr, "{}: the text has {} tokens; the model reads the first {}\n", one_line(file),
               tokens.size(), config.positions);
    tokens.resize(static_cast<std::size_t>(config.positions));
  }
  return tokens;
}

}  // namespace

std::vector<std::int64_t> tokenize(const std::filesystem::path& folder, const std::string& text,
                                   const std::string& name) {
  count_characters(text, name);  // refuses what is not UTF-8
  return Tokenizer::load(folder).encode(text);
}

PreparedInput prepare(const ModelInput& input) {
  if (input.text.has_value() == input.tokens.has_value()) {
    throw BadInput({.kind = input.text ? BadInputKind::inconsistent : BadInputKind::missing,
                    .where = "--model",
                    .expected = "either --text or --tokens",
                    .found = input.text ? "both" : "neither"});
  }
  PreparedInput prepared;
  prepared.folder = locate_model(input.model);
  const Config config = load_config(prepared.folder / "config.json");
  if (input.text) {
    const std::string text = read_input(*input.text);
    prepared.tokens = text_tokens(prepared.folder, text, *input.text, config);
    prepared.text_sha256 = sha256(text);
  } else {
    check_count(input.tokens->size(), config);
    prepared.tokens = *input.tokens;
  }
  check_ids(prepared.tokens, config);
  prepared.tokens_sha256 = sha256(fmt::format("{}", fmt::join(prepared.tokens, ",")));
  return prepared;
}

Checkpoint load(const std::filesystem::path& folder, at::ScalarType precision,
                at::DeviceType device) {
  if (device == at::kCUDA && !at::hasCUDA()) {
    throw BadInput({.kind = BadInputKind::unsupported,
                    .where = "--device cuda",
                    .expected = "a CUDA device",
                    .found = "none by this LibTorch",
                    .advice = "use --device cpu"});
  }
  Checkpoint checkpoint = load_checkpoint(folder, precision);
  for_each_tensor(checkpoint.config, checkpoint.weights,
                  [&](const std::string&, at::Tensor& tensor, const auto&) {
                    tensor = tensor.to(at::Device(device));
                  });
  return checkpoint;
}

}  // namespace attn::gpt2
