#include "gpt2_check/cli/input.hpp"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gpt2_check/tokenizer/text.hpp"
#include "gpt2_check/tokenizer/tokenizer.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"
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

/// Cuts what is read to whole windows.
void cut_to_windows(PreparedInput& prepared, std::uint64_t asked, const std::string& where,
                    const Config& config) {
  const auto length = static_cast<std::uint64_t>(config.positions);
  const std::uint64_t there = prepared.tokens.size() / length;
  if (there == 0 || asked > there) {
    throw BadInput(
        {.kind = BadInputKind::too_large,
         .where = "--windows",
         .expected = there == 0 ? fmt::format("at least {} tokens, one window", length)
                                : fmt::format("at most {}, of {} tokens each, for {} "
                                              "has no more",
                                              there, length, where),
         .found = there == 0 ? fmt::format("{} in {}", prepared.tokens.size(), where)
                             : fmt::format("{}", asked),
         .advice = there == 0 ? "leave --windows out, or give a longer text" : "or give all"});
  }
  prepared.windows = asked == kAllWindows ? there : asked;
  prepared.tokens_left = prepared.tokens.size() - prepared.windows * length;
  prepared.tokens.resize(prepared.windows * length);
}

void read_text(PreparedInput& prepared, const ModelInput& input, const Config& config) {
  const std::string& file = *input.text;
  const std::string text = read_input(file);
  prepared.tokens = tokenize(prepared.folder, text, file, input.plain_text);
  prepared.text_sha256 = sha256(text);
  if (prepared.tokens.empty()) {
    throw BadInput({.kind = BadInputKind::missing,
                    .where = file,
                    .expected = "at least one token",
                    .found = "an empty text"});
  }
  if (input.windows) return cut_to_windows(prepared, *input.windows, one_line(file), config);
  if (std::ssize(prepared.tokens) > config.positions) {
    fmt::print(stderr, "{}: the text has {} tokens; the model reads the first {}\n", one_line(file),
               prepared.tokens.size(), config.positions);
    prepared.tokens.resize(static_cast<std::size_t>(config.positions));
  }
}

}  // namespace

std::vector<std::int64_t> tokenize(const std::filesystem::path& folder, const std::string& text,
                                   const std::string& name, bool plain_text) {
  const std::string newer = newer_characters(text, name);  // refuses what is not UTF-8
  const Tokenizer tokenizer = Tokenizer::load(folder);
  try {
    std::vector<std::int64_t> ids = tokenizer.encode(text, plain_text);
    if (!newer.empty()) fmt::print(stderr, "{}\n", one_line(newer));
    return ids;
  } catch (const BadInput& error) {
    throw error.within(name);
  }
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
    read_text(prepared, input, config);
  } else {
    prepared.tokens = *input.tokens;
    if (input.windows) {
      cut_to_windows(prepared, *input.windows, "--tokens", config);
    } else if (std::ssize(prepared.tokens) > config.positions) {
      throw BadInput({.kind = BadInputKind::too_large,
                      .where = "--tokens",
                      .expected = fmt::format("at most {} tokens", config.positions),
                      .found = fmt::format("{}", prepared.tokens.size()),
                      .advice = "the model reads no more"});
    }
  }
  check_ids(prepared.tokens, config);
  prepared.tokens_sha256 = sha256(fmt::format("{}", fmt::join(prepared.tokens, ",")));
  return prepared;
}

void check_selection(const std::vector<std::int64_t>& lengths,
                     const std::vector<std::int64_t>& top_n, const ActivationShape& shape) {
  const std::int64_t tokens = std::ranges::max(shape.layers, {}, &LayerShape::tokens).tokens();
  if (tokens < 2) {
    throw BadInput(
        {.kind = BadInputKind::out_of_range,
         .where = "the input",
         .expected = "at least 2 tokens",
         .found = fmt::format("{}", tokens),
         .advice = "give a longer one: a selection of N >= 1 tokens must leave one out"});
  }
  const std::int64_t longest = shape.longest_row();
  for (const std::int64_t length : lengths) {
    if (!shape.has_length(length)) {
      throw BadInput(
          {.kind = BadInputKind::out_of_range,
           .where = "--lengths",
           .expected = fmt::format("L in 2..{} so that a row sees the first L tokens, the "
                                   "last of them its own",
                                   shape.longest_length()),
           .found = fmt::format("{}", length)});
    }
  }
  const std::int64_t shortest = lengths.empty() ? longest : *std::ranges::min_element(lengths);
  for (const std::int64_t n : top_n) {
    if (n >= shortest) {
      throw BadInput({.kind = BadInputKind::out_of_range,
                      .where = "--top-n",
                      .expected = "1 <= N < L",
                      .found = fmt::format("N = {} with L = {} tokens", n, shortest)});
    }
  }
}

LayerwiseCheckpoint open(const std::filesystem::path& folder, at::ScalarType precision,
                         at::DeviceType device, bool needs_head) {
  if (device == at::kCUDA && !at::hasCUDA()) {
    throw BadInput({.kind = BadInputKind::unsupported,
                    .where = "--device cuda",
                    .expected = "a CUDA device",
                    .found = "none by this LibTorch",
                    .advice = "use --device cpu"});
  }
  return open_checkpoint(folder, precision, device, needs_head);
}

}  // namespace attn::gpt2
