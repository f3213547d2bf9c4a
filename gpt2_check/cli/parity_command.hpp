#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace attn::gpt2 {

using TokenIds = std::vector<std::int64_t>;

/// A logit that is known from elsewhere.
struct KnownLogit {
  std::int64_t position{}, token{};
  double value{};
};

/// What is known of a model.
struct KnownNumbers {
  struct Text {
    std::string text;
    TokenIds tokens;
    std::vector<KnownLogit> logits;
  };
  std::vector<Text> texts;
  std::size_t mean_of{};  ///< the text that the mean is of
  double mean{};          ///< over all positions and the whole vocabulary
  TokenIds start;         ///< of the greedy continuation
  TokenIds continuation;  ///< `start` and what follows it
};

/// A known number beside the one found.
struct ParityLine {
  std::string what, expected, found;
  double difference{};  ///< of numbers; of token ids how many are not the same
  double tolerance{};

  /// False for NaN.
  [[nodiscard]] bool agrees() const { return difference <= tolerance; }
};

/// How far a float32 logit may be from the known one. The known ones are printed to 1e-4 or
/// better, and float32 sums in another order move logits of this size (-30 to -120) by about
/// 1e-4; a wrong epsilon, activation or mask moves them by 1e-2 and more.
inline constexpr double kLogitTolerance = 1e-3;

/// GPT-2 124M, as computed by other implementations.
const KnownNumbers& known_gpt2_numbers();

/// Compares all that is known: the ids of the texts, their logits and the mean within
/// kLogitTolerance, the continuation id by id. `logits` gives [position, vocabulary].
std::vector<ParityLine> compare(const KnownNumbers& known,
                                const std::function<TokenIds(const std::string&)>& encode,
                                const std::function<at::Tensor(const TokenIds&)>& logits);

/// Compares the checkpoint of openai-community/gpt2 with what is known of it and prints a line for
/// each comparison. Returns 0 where all agree, else 1. Throws BadInput for another checkpoint, by
/// its SHA-256.
int parity_command(const std::string& model);

}  // namespace attn::gpt2
