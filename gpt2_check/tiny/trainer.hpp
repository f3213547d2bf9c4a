#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpt2_check/model/gpt2.hpp"

namespace attn::tiny {

/// What makes a Tokenizer.
struct Bpe {
  std::vector<std::string> vocabulary;                      ///< entry of each id
  std::vector<std::pair<std::string, std::string>> merges;  ///< lowest rank first
};

/// Learns a byte-level BPE of `entries` entries, 257 or more, from a UTF-8 text: the 256 byte
/// symbols in GPT-2's order, then one entry for each merge, then <|endoftext|>. Each merge joins
/// the adjacent pair that is most frequent within the words of the text; of equally frequent pairs,
/// the one with the smallest left id, then the smallest right id.
///
/// Throws BadInput where the text is not UTF-8 or has too few pairs for so many entries.
Bpe train_bpe(std::string_view text, std::int64_t entries);

/// All parameters of a model in one flat float32 tensor, so that the optimiser is a few vector
/// operations; every weight is a part of it.
class Parameters {
 public:
  /// Initialised as GPT-2 is.
  Parameters(const gpt2::Config& config, std::uint64_t seed);

  [[nodiscard]] const at::Tensor& flat() const { return flat_; }

  /// 1 where weight decay applies (matrices and embeddings), 0 elsewhere; as long as `flat()`.
  [[nodiscard]] const at::Tensor& decayed() const { return decayed_; }

  /// Weights that share memory with `flat()`.
  [[nodiscard]] gpt2::Weights weights() const;

  /// The same as leaves of a graph: a backward pass adds their gradients to `gradient`, as long as
  /// `flat()`.
  [[nodiscard]] gpt2::Weights leaves(const at::Tensor& gradient) const;

 private:
  gpt2::Config config_;
  at::Tensor flat_, decayed_;
};

/// How a model is trained. With the same text, these values and the same number of threads the
/// result is the same, bit for bit, on the same machine and libraries.
struct Recipe {
  std::int64_t steps{};
  std::int64_t threads{};  ///< each trains on its share of a step's sequences; 1 or 2
  std::uint64_t seed{};
  std::int64_t tokens_per_step{2048};
  double peak_rate{2.5e-3};  ///< AdamW: 2 % warm-up, then a cosine down to 2 % of it
  double beta_1{0.9}, beta_2{0.99}, epsilon{1e-8}, weight_decay{0.1}, clip{1.0};
};

/// The sequence length of a step: 128 for the first 60 % of the steps, 256 up to 85 %, then the
/// whole context; before that, too, every 16th step takes the whole context, so that attention at
/// long range is learned from the start. Shorter sequences start at a random position, so that
/// every position embedding is trained.
std::int64_t sequence_length(const Recipe& recipe, const gpt2::Config& config, std::int64_t step);

/// The factor of the peak learning rate at a step, in (0, 1].
double rate_factor(const Recipe& recipe, std::int64_t step);

struct StepReport {
  std::int64_t step{};    ///< steps done
  std::int64_t tokens{};  ///< tokens trained on so far
  std::int64_t length{};  ///< sequence length of the last step
  double mean_loss{};     ///< nats per token of the last step
};

/// Trains `parameters` in place on a stream of tokens with AdamW; `after_step` is called after each
/// step. Throws std::runtime_error where the loss is no longer finite.
void train(const gpt2::Config& config, const Recipe& recipe,
           const std::vector<std::int64_t>& tokens, Parameters& parameters,
           const std::function<void(const StepReport&)>& after_step);

/// The total -ln p, in nats, of the last `scored` tokens of `tokens`, each once: windows as long as
/// the context move on by half of it, and each scores its second half. At least half a context must
/// come before the first scored token.
double total_nats(const gpt2::Config& config, const gpt2::Weights& weights,
                  const std::vector<std::int64_t>& tokens, std::int64_t scored,
                  std::int64_t threads);

}  // namespace attn::tiny
