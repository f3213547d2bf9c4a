#include "gpt2_check/tiny/trainer.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/take.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

#include "gpt2_check/checkpoint/checkpoint.hpp"
#include "gpt2_check/tokenizer/text.hpp"
#include "gpt2_check/tokenizer/tokenizer.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/parallel.hpp"

namespace attn::tiny {
namespace {

/// The parts of a flat tensor, one for each weight, in the order of for_each_tensor.
gpt2::Weights split(const gpt2::Config& config, const at::Tensor& flat) {
  gpt2::Weights weights;
  std::int64_t start = 0;
  gpt2::for_each_tensor(
      config, weights,
      [&](const std::string&, at::Tensor& weight, const std::vector<std::int64_t>& shape) {
        std::int64_t size = 1;
        for (const std::int64_t extent : shape) size *= extent;
        weight = flat.narrow(0, start, size).view(shape);
        start += size;
      });
  return weights;
}

}  // namespace

Parameters::Parameters(const gpt2::Config& config, std::uint64_t seed) : config_(config) {
  gpt2::Weights initial = gpt2::random_weights(config, seed);
  std::vector<at::Tensor> values, decayed;
  gpt2::for_each_tensor(
      config, initial,
      [&](const std::string&, const at::Tensor& weight, const std::vector<std::int64_t>& shape) {
        values.push_back(weight.flatten());
        decayed.push_back(at::full_like(values.back(), shape.size() > 1 ? 1 : 0));
      });
  flat_ = at::cat(values);
  decayed_ = at::cat(decayed);
}

gpt2::Weights Parameters::weights() const {
  return split(config_, flat_);
}

gpt2::Weights Parameters::leaves(const at::Tensor& gradient) const {
  gpt2::Weights leaves = split(config_, flat_);
  std::int64_t start = 0;
  gpt2::for_each_tensor(config_, leaves, [&](const std::string&, at::Tensor& leaf, const auto&) {
    leaf = leaf.detach().requires_grad_(true);
    leaf.mutable_grad() = gradient.narrow(0, start, leaf.numel()).view(leaf.sizes());
    start += leaf.numel();
  });
  return leaves;
}

namespace {

/// Runs task(0..count-1) on that many threads, on each of which LibTorch uses no other.
void on_threads(std::int64_t threads, std::size_t count,
                const std::function<void(std::size_t)>& task) {
  const auto alone = [] { at::set_num_threads(1); };
  alone();
  parallel_for(count, static_cast<unsigned>(threads), task, alone);
}

/// One thread's copy of the leaves, its gradients and its random numbers.
struct Replica {
  at::Tensor gradient;
  gpt2::Weights weights;
  at::Generator generator;
  double loss{};
};

struct Batch {
  at::Tensor inputs, targets, positions;  ///< [sequence, position]
};

Batch draw_batch(const gpt2::Config& config, const at::Tensor& stream, std::int64_t sequences,
                 std::int64_t length, at::Generator& generator) {
  const auto draw = [&](std::int64_t below) {
    return at::randint(below, {sequences, 1}, generator, at::kLong);
  };
  const at::Tensor steps = at::arange(length, at::kLong).unsqueeze(0);
  const at::Tensor places = draw(stream.numel() - length) + steps;
  return {at::take(stream, places), at::take(stream, places + 1),
          draw(config.positions - length + 1) + steps};
}

void add_gradients(const gpt2::Config& config, const Recipe& recipe, const at::Tensor& stream,
                   std::int64_t length, Replica& replica) {
  const std::int64_t sequences = recipe.tokens_per_step / length / recipe.threads;
  const Batch batch = draw_batch(config, stream, sequences, length, replica.generator);
  const at::Tensor logits = gpt2::logits(config, replica.weights, batch.inputs, batch.positions);
  const at::Tensor loss =
      at::cross_entropy_loss(logits.view({-1, config.vocabulary}), batch.targets.view({-1}));
  replica.gradient.zero_();
  loss.backward();
  replica.loss = loss.item<double>();
}

/// AdamW (Loshchilov and Hutter, 2019) on flat tensors, gradients clipped to a norm.
class AdamW {
 public:
  AdamW(const Recipe& recipe, const Parameters& parameters)
      : recipe_(recipe),
        decayed_(parameters.decayed()),
        mean_(at::zeros_like(parameters.flat())),
        square_(at::zeros_like(parameters.flat())) {}

  void step(at::Tensor values, at::Tensor gradient, double rate) {
    ++count_;
    const double norm = gradient.norm().item<double>();
    if (norm > recipe_.clip) gradient.mul_(recipe_.clip / norm);
    mean_.mul_(recipe_.beta_1).add_(gradient, 1 - recipe_.beta_1);
    square_.mul_(recipe_.beta_2).addcmul_(gradient, gradient, 1 - recipe_.beta_2);
    const double mean_bias = 1 - std::pow(recipe_.beta_1, count_);
    const double square_bias = 1 - std::pow(recipe_.beta_2, count_);
    values.addcmul_(values, decayed_, -rate * recipe_.weight_decay);
    const at::Tensor spread = square_.sqrt().div_(std::sqrt(square_bias)).add_(recipe_.epsilon);
    values.addcdiv_(mean_, spread, -rate / mean_bias);
  }

 private:
  Recipe recipe_;
  at::Tensor decayed_, mean_, square_;
  int count_{0};
};

at::Tensor to_tensor(const std::vector<std::int64_t>& tokens) {
  return at::tensor(at::ArrayRef<std::int64_t>(tokens), at::kLong);
}

}  // namespace

std::int64_t sequence_length(const Recipe& recipe, const gpt2::Config& config, std::int64_t step) {
  const double done = static_cast<double>(step) / static_cast<double>(recipe.steps);
  if (done >= 0.85 || step % 16 == 15) return config.positions;
  return std::min<std::int64_t>(config.positions, done < 0.6 ? 128 : 256);
}

double rate_factor(const Recipe& recipe, std::int64_t step) {
  constexpr double kLast = 0.02;
  const double warm_up = std::max(1.0, 0.02 * static_cast<double>(recipe.steps));
  const auto now = static_cast<double>(step + 1);
  if (now < warm_up) return now / warm_up;
  const double done = (now - warm_up) / std::max(1.0, static_cast<double>(recipe.steps) - warm_up);
  return kLast + (1 - kLast) * 0.5 * (1 + std::cos(std::numbers::pi * done));
}

void train(const gpt2::Config& config, const Recipe& recipe,
           const std::vector<std::int64_t>& tokens, Parameters& parameters,
           const std::function<void(const StepReport&)>& after_step) {
  const at::Tensor stream = to_tensor(tokens);
  std::vector<Replica> replicas(static_cast<std::size_t>(recipe.threads));
  for (std::size_t i = 0; i < replicas.size(); ++i) {
    replicas[i].gradient = at::zeros_like(parameters.flat());
    replicas[i].weights = parameters.leaves(replicas[i].gradient);
    replicas[i].generator = at::detail::createCPUGenerator(recipe.seed * 1'000'003 + i + 1);
  }
  AdamW optimiser(recipe, parameters);
  StepReport report;
  for (std::int64_t step = 0; step < recipe.steps; ++step) {
    const std::int64_t length = sequence_length(recipe, config, step);
    on_threads(recipe.threads, replicas.size(),
               [&](std::size_t i) { add_gradients(config, recipe, stream, length, replicas[i]); });

    const at::Tensor gradient = replicas.front().gradient;
    double loss = replicas.front().loss;
    for (std::size_t i = 1; i < replicas.size(); ++i) {
      gradient.add_(replicas[i].gradient);
      loss += replicas[i].loss;
    }
    gradient.div_(static_cast<double>(recipe.threads));
    loss /= static_cast<double>(recipe.threads);
    if (!std::isfinite(loss)) throw std::runtime_error("training: the loss is not finite");
    optimiser.step(parameters.flat(), gradient, recipe.peak_rate * rate_factor(recipe, step));
    report = {step + 1, report.tokens + recipe.tokens_per_step, length, loss};
    after_step(report);
  }
}

double total_nats(const gpt2::Config& config, const gpt2::Weights& weights,
                  const std::vector<std::int64_t>& tokens, std::int64_t scored,
                  std::int64_t threads) {
  const std::int64_t half = config.positions / 2;
  const auto total = static_cast<std::int64_t>(tokens.size());
  const at::Tensor stream = to_tensor(tokens);
  const std::int64_t windows = (scored + half - 1) / half;
  std::vector<double> nats(static_cast<std::size_t>(windows));
  on_threads(threads, nats.size(), [&](std::size_t i) {
    const auto window = static_cast<std::int64_t>(i);
    const std::int64_t first = total - scored + window * half;  // the first token scored here
    const std::int64_t count = std::min(half, total - first);
    const at::Tensor inputs = stream.slice(0, first - half, first + count - 1);
    const at::Tensor targets = stream.slice(0, first, first + count);
    const at::Tensor logits = gpt2::forward(config, weights, inputs).slice(0, half - 1);
    nats[i] = at::cross_entropy_loss(logits.to(at::kDouble), targets, {}, at::Reduction::Sum)
                  .item<double>();
  });
  return std::accumulate(nats.begin(), nats.end(), 0.0);
}

namespace {

struct Word {
  std::vector<std::uint32_t> ids;
  std::int64_t count{};
};

/// How often each adjacent pair of ids occurs, by left id << 32 | right id.
using PairCounts = std::unordered_map<std::uint64_t, std::int64_t>;

std::uint64_t pair_key(std::uint32_t left, std::uint32_t right) {
  return static_cast<std::uint64_t>(left) << 32 | right;
}

std::vector<Word> count_words(std::string_view text) {
  std::array<std::uint32_t, 256> id_of_byte{};
  for (std::uint32_t id = 0; id < 256; ++id) id_of_byte[bytes_by_symbol()[id]] = id;

  std::map<std::string_view, std::int64_t> counts;
  for (const std::string_view word : split_words(text)) ++counts[word];
  std::vector<Word> words;
  for (const auto& [letters, count] : counts) {
    Word word{{}, count};
    for (const char letter : letters)
      word.ids.push_back(id_of_byte[static_cast<unsigned char>(letter)]);
    words.push_back(std::move(word));
  }
  return words;
}

void add_pairs(const Word& word, std::int64_t sign, PairCounts& counts) {
  for (std::size_t i = 0; i + 1 < word.ids.size(); ++i)
    counts[pair_key(word.ids[i], word.ids[i + 1])] += sign * word.count;
}

bool has_pair(const Word& word, std::uint64_t pair) {
  for (std::size_t i = 0; i + 1 < word.ids.size(); ++i)
    if (pair_key(word.ids[i], word.ids[i + 1]) == pair) return true;
  return false;
}

void merge_pair(Word& word, std::uint64_t pair, std::uint32_t merged) {
  std::vector<std::uint32_t> ids;
  for (std::size_t i = 0; i < word.ids.size(); ++i) {
    if (i + 1 < word.ids.size() && pair_key(word.ids[i], word.ids[i + 1]) == pair) {
      ids.push_back(merged);
      ++i;
    } else {
      ids.push_back(word.ids[i]);
    }
  }
  word.ids = std::move(ids);
}

std::uint64_t most_frequent(const PairCounts& counts, std::size_t found, std::int64_t wanted) {
  const auto best =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second < b.second : a.first > b.first;
      });
  if (best == counts.end() || best->second <= 0)
    throw BadInput({.kind = BadInputKind::out_of_range,
                    .where = "text",
                    .expected = fmt::format("pairs for a vocabulary of {} entries", wanted),
                    .found = fmt::format("pairs for {}", found + 1),
                    .advice = "give a longer text"});
  return best->first;
}

}  // namespace

Bpe train_bpe(std::string_view text, std::int64_t entries) {
  Bpe bpe;
  for (const unsigned char byte : bytes_by_symbol()) bpe.vocabulary.push_back(byte_symbols()[byte]);

  std::vector<Word> words = count_words(text);
  PairCounts counts;
  for (const Word& word : words) add_pairs(word, 1, counts);
  while (bpe.vocabulary.size() + 1 < static_cast<std::size_t>(entries)) {
    const std::uint64_t pair = most_frequent(counts, bpe.vocabulary.size(), entries);
    const auto merged = static_cast<std::uint32_t>(bpe.vocabulary.size());
    for (Word& word : words) {
      if (!has_pair(word, pair)) continue;
      add_pairs(word, -1, counts);
      merge_pair(word, pair, merged);
      add_pairs(word, 1, counts);
    }
    const std::string& left = bpe.vocabulary[pair >> 32];
    const std::string& right = bpe.vocabulary[pair & 0xFFFFFFFF];
    bpe.merges.emplace_back(left, right);
    bpe.vocabulary.push_back(left + right);
  }
  bpe.vocabulary.emplace_back(kEndOfText);
  return bpe;
}

}  // namespace attn::tiny
