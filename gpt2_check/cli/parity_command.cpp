#include "gpt2_check/cli/parity_command.hpp"

#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "gpt2_check/checkpoint/checkpoint.hpp"
#include "gpt2_check/checkpoint/locate.hpp"
#include "gpt2_check/hub/pins.hpp"
#include "gpt2_check/parallel/parallel.hpp"
#include "gpt2_check/tokenizer/tokenizer.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/sha256.hpp"

namespace attn::gpt2 {
namespace {

ParityLine compare_ids(const std::string& what, const TokenIds& expected, const TokenIds& found) {
  const std::size_t common = std::min(expected.size(), found.size());
  std::size_t differing = std::max(expected.size(), found.size()) - common;
  for (std::size_t i = 0; i < common; ++i) {
    if (expected[i] != found[i]) ++differing;
  }
  return {.what = what,
          .expected = fmt::format("{}", fmt::join(expected, " ")),
          .found = fmt::format("{}", fmt::join(found, " ")),
          .difference = static_cast<double>(differing)};
}

ParityLine compare_numbers(const std::string& what, double expected, double found) {
  return {.what = what,
          .expected = fmt::format("{:.8f}", expected),
          .found = fmt::format("{:.8f}", found),
          .difference = std::abs(found - expected),
          .tolerance = kLogitTolerance};
}

/// `start`, and after it the token of the largest logit again and again, up to `length` tokens.
TokenIds greedy(TokenIds tokens, std::size_t length,
                const std::function<at::Tensor(const TokenIds&)>& logits) {
  while (tokens.size() < length) {
    tokens.push_back(logits(tokens)[-1].argmax().item<std::int64_t>());
  }
  return tokens;
}

void require_known_checkpoint(const std::string& model, const std::filesystem::path& weights) {
  const std::string expected = hub::gpt2_pin().file("model.safetensors").sha256;
  const std::string found = sha256_of_file(weights);
  if (found != expected) {
    throw BadInput(
        {.kind = BadInputKind::unsupported,
         .where = fmt::format("model '{}': {}", model, weights.string()),
         .expected = fmt::format("SHA-256 {} of {}", expected, hub::gpt2_pin().repository),
         .found = found,
         .advice = "numbers are known for that checkpoint alone: fetch it with `gpt2_check fetch "
                   "gpt2`"});
  }
}

void print(const ParityLine& line) {
  fmt::print("{} {}: expected {}, found {}, difference {:.3g} (at most {:.3g})\n",
             line.agrees() ? "ok" : "DIFFERS", line.what, line.expected, line.found,
             line.difference, line.tolerance);
}

}  // namespace

const KnownNumbers& known_gpt2_numbers() {
  static const KnownNumbers numbers{
      .texts = {{"Hello, I am",
                 {15496, 11, 314, 716},
                 {{0, 0, -35.23624420},
                  {0, 1, -35.32659531},
                  {0, 2, -38.97534943},
                  {0, 3, -39.39067459},
                  {0, 4, -37.65318298},
                  {0, 5, -38.67243576},
                  {0, 6, -36.02489090},
                  {0, 7, -36.48415375},
                  {0, 100, -43.31263733},
                  {0, 1000, -40.74980927},
                  {0, 50000, -44.11378098}}},
                {"Hello, my dog is cute",
                 {15496, 11, 616, 3290, 318, 13779},
                 {{1, 1, -114.5832},
                  {1, 2, -116.5725},
                  {1, 3, -116.0830},
                  {2, 1, -89.8644},
                  {2, 2, -93.1977},
                  {2, 3, -94.4351},
                  {3, 1, -88.3380},
                  {3, 2, -92.8703},
                  {3, 3, -94.4454}}}},
      .mean_of = 0,
      .mean = -111.89471436,
      .start = {464, 3290},
      .continuation = {464, 3290, 373, 1043, 287,   257, 2214, 1474, 262, 16246,
                       286, 2688, 290, 2688, 27262, 13,  198,  198,  464, 3290}};
  return numbers;
}

std::vector<ParityLine> compare(const KnownNumbers& known,
                                const std::function<TokenIds(const std::string&)>& encode,
                                const std::function<at::Tensor(const TokenIds&)>& logits) {
  std::vector<ParityLine> lines;
  for (std::size_t i = 0; i < known.texts.size(); ++i) {
    const KnownNumbers::Text& text = known.texts[i];
    lines.push_back(
        compare_ids(fmt::format("tokens of \"{}\"", text.text), text.tokens, encode(text.text)));
    const at::Tensor found = logits(text.tokens).to(at::kDouble);
    for (const auto& [position, token, value] : text.logits) {
      lines.push_back(compare_numbers(
          fmt::format("\"{}\", position {}, logit of token {}", text.text, position, token), value,
          found[position][token].item<double>()));
    }
    if (i == known.mean_of) {
      lines.push_back(compare_numbers(fmt::format("\"{}\", mean of all logits", text.text),
                                      known.mean, found.mean().item<double>()));
    }
  }
  lines.push_back(compare_ids(fmt::format("greedy continuation of {}", fmt::join(known.start, " ")),
                              known.continuation,
                              greedy(known.start, known.continuation.size(), logits)));
  return lines;
}

int parity_command(const std::string& model) {
  const std::filesystem::path folder = locate_model(model);
  require_known_checkpoint(model, folder / "model.safetensors");
  set_threads(default_threads());
  const Tokenizer tokenizer = Tokenizer::load(folder);
  const Checkpoint checkpoint = load_checkpoint(folder, at::kFloat);
  const auto lines = compare(
      known_gpt2_numbers(), [&](const std::string& text) { return tokenizer.encode(text); },
      [&](const TokenIds& tokens) {
        return forward(checkpoint.config, checkpoint.weights, at::tensor(tokens, at::kLong));
      });
  for (const ParityLine& line : lines) print(line);
  return std::ranges::all_of(lines, &ParityLine::agrees) ? kAsExpected : kUnexpected;
}

}  // namespace attn::gpt2
