// Weights that were processed after the softmax: each is read, and one line asks what was done,
// with near misses and sound patterns that are read without one.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linalg_inv.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <tuple>
#include <vector>

#include "gpt2_check/tests/recording_file.hpp"

namespace attn::gpt2 {
namespace {

using test::kInfinity;
using test::later_keys;
using test::Metadata;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::int64_t kHeads = 4, kPositions = 24;
constexpr at::ScalarType kTypes[] = {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16};
const Metadata kFull{{"mask", "full"}}, kCausal{{"mask", "causal"}, {"zeros", "weights"}};
const Metadata kFullOfZeros{{"mask", "full"}, {"zeros", "weights"}};
const Metadata kHiding{{"mask", "full"}, {"zeros", "hidden"}};

constexpr const char* kShare = "one share of the weight lies on the first ";
constexpr const char* kLeast = "were weights clamped from below?";
constexpr const char* kText = "were they written as text";
constexpr const char* kTransposed = "are they the mean of a pattern and its transpose?";
constexpr const char* kMeans = "are the weights running means";
constexpr const char* kAgain = "was a softmax taken of the weights again?";
constexpr const char* kQueries = "was the softmax taken over the queries";
constexpr const char* kDiffusion = "was a softmax multiplied by itself, as diffusion does?";
constexpr const char* kGroup = "keys, the first among them, in all rows of each head";
constexpr const char* kSmoothed = "were the weights smoothed over the queries?";
constexpr const char* kFewRows = "were they resized, or made without a softmax?";

class Processed : public test::WithRecording {
 protected:
  /// The remarks on a pattern [head, query, key], a line each.
  [[nodiscard]] std::string remarks(const at::Tensor& pattern, const Metadata& said) const {
    const auto source = opened({{names::pattern(0), pattern.contiguous()}}, said);
    return test::all_remarks(*source);
  }

  /// Expects none of the lines on a pattern of any type.
  void expect_none(const at::Tensor& pattern, const Metadata& said) const {
    for (const auto type : kTypes) {
      SCOPED_TRACE(at::toString(type));
      expect_none_of_type(pattern.to(type), said);
    }
  }

  /// Expects none of the lines on a pattern of any kind and type, which may be asked about.
  void expect_none_if_read(const at::Tensor& pattern, const Metadata& said) {
    for (const auto type : kTypes) {
      SCOPED_TRACE(at::toString(type));
      try {
        expect_none_of_type(pattern.to(type), said);
        ++read;
      } catch (const BadInput&) {
        ++asked;
      }
    }
  }

  int read{}, asked{};

 private:
  void expect_none_of_type(const at::Tensor& pattern, const Metadata& said) const {
    const std::string found = remarks(pattern, said);
    for (const char* line :
         {kShare, kLeast, kText, kTransposed, kMeans, kAgain, kFewRows, kQueries, kDiffusion}) {
      EXPECT_THAT(found, Not(HasSubstr(line)));
    }
  }
};

at::Tensor scores_of(std::int64_t queries, std::int64_t keys, double size = 2) {
  return at::randn({kHeads, queries, keys}, at::kDouble) * size;
}

/// Products of queries and keys of so many numbers, [head, query, key], of that deviation.
at::Tensor products_of(std::int64_t heads, std::int64_t positions, std::int64_t d, double size) {
  const at::Tensor q = at::randn({heads, positions, d}, at::kDouble);
  const at::Tensor k = at::randn({heads, d, positions}, at::kDouble);
  return at::matmul(q, k) * (size / std::sqrt(static_cast<double>(d)));
}

at::Tensor causal(const at::Tensor& scores) {
  return at::softmax(scores.masked_fill(later_keys(scores.size(1)), -kInfinity), -1);
}

/// The softmax of the first keys times a number of the head, and that of the others times the rest.
at::Tensor gated(const at::Tensor& scores, std::int64_t cut, const at::Tensor& gate) {
  const at::Tensor first = at::softmax(scores.slice(2, 0, cut), -1);
  const at::Tensor others = at::softmax(scores.slice(2, cut), -1);
  const at::Tensor share = gate.view({-1, 1, 1});
  return at::cat({first * share, others * (1 - share)}, -1);
}

at::Tensor some_gates() {
  return at::tensor({0.31, 0.45, 0.62, 0.83}, at::kDouble);
}

TEST_F(Processed, SharesOfTheFirstKeys) {
  const auto says = [](const char* keys) {
    return HasSubstr(
        fmt::format("layer 0: {}{} in all rows of each head that see more", kShare, keys));
  };
  const at::Tensor scores = scores_of(kPositions, kPositions + 16, 3), gates = some_gates();
  const at::Tensor later = at::ones({kPositions, kPositions + 16}, at::kBool).triu(17);
  for (const auto type : kTypes) {
    SCOPED_TRACE(at::toString(type));
    EXPECT_THAT(remarks(gated(scores, 5, gates).to(type), kFull), says("5 keys"));
    const at::Tensor of_cache = gated(scores.masked_fill(later, -kInfinity), 16, gates);
    EXPECT_THAT(remarks(of_cache.to(type), kCausal), says("16 keys"));
    EXPECT_THAT(remarks(gated(scores, 1, gates).to(type), kFull), says("1 key"));
    // Of one gate for all heads.
    const at::Tensor half = at::full({kHeads}, 0.5, at::kDouble);
    EXPECT_THAT(remarks(gated(scores, 5, half).to(type), kFull), says("5 keys"));
  }
  // One head shows it by exact numbers alone.
  const at::Tensor one = gated(scores, 5, gates).slice(0, 0, 1);
  EXPECT_THAT(remarks(one.to(at::kFloat), kFull), says("5 keys"));
  EXPECT_THAT(remarks(one.to(at::kBFloat16), kFull), Not(HasSubstr(kShare)));
  // What is hidden does not matter.
  at::Tensor fewer = scores.clone();
  fewer.select(2, 9).fill_(-kInfinity);
  at::Tensor hiding = gated(fewer, 5, gates);
  hiding.select(1, 3).fill_(0);
  EXPECT_THAT(remarks(hiding, kHiding), says("5 keys"));
  // Of eight rows that see others too.
  for (const std::int64_t rows : {8, 7}) {
    at::Tensor some = gated(scores, 5, gates);
    some.slice(1, rows).slice(2, 0, 5).fill_(0);
    const std::string found = remarks(some / some.sum(-1, true), kHiding);
    EXPECT_EQ(found.find(kShare) != std::string::npos, rows == 8) << found;
  }
}

TEST_F(Processed, SharesThatAreNotOne) {
  const at::Tensor scores = scores_of(kPositions, kPositions + 16, 3), gates = some_gates();
  at::Tensor near = gated(scores, 5, gates);
  near[2][7] = at::softmax(scores[2][7], -1);
  expect_none(near, kFull);
  near = gated(scores, 5, gates);  // by more than rounding
  near[1][4].slice(0, 0, 5) *= 1 + 1e-4;
  EXPECT_THAT(remarks(near.to(at::kFloat), kFull), Not(HasSubstr(kShare)));
  // Nearly nothing, or nearly all.
  expect_none(gated(scores, 5, at::tensor({0.3, 0.019, 0.4, 0.5}, at::kDouble)), kFull);
  expect_none(gated(scores, 5, at::tensor({0.3, 0.981, 0.4, 0.5}, at::kDouble)), kFull);
  // Rows that are alike, few rows, and a text that repeats.
  expect_none(gated(scores.slice(1, 0, 1), 5, gates).expand({-1, kPositions, -1}), kFull);
  expect_none(gated(scores.slice(1, 0, 7), 5, gates), kFull);
  const at::Tensor first = scores_of(kPositions, 6, 3);
  expect_none(at::softmax(at::cat({first, first, first}, -1), -1), kFull);
  // Parts of one length and one share have a line of their own.
  const at::Tensor halves = gated(scores, (kPositions + 16) / 2, at::full({kHeads}, 0.5));
  EXPECT_THAT(remarks(halves, kFull), AllOf(HasSubstr("was the softmax taken of each part alone?"),
                                            Not(HasSubstr(kShare))));
}

/// Weights of a sharp softmax that are no less than a number, divided by their sum.
at::Tensor clamped(const at::Tensor& weights, double least) {
  const at::Tensor all = weights.clamp_min(least);
  return all / all.sum(-1, true);
}

TEST_F(Processed, ClampedFromBelow) {
  const auto says = HasSubstr(
      "layer 0: in most rows the least weight comes three times or more, of other keys in each "
      "head, and every other weight once: were weights clamped from below?");
  const at::Tensor scores = scores_of(kPositions, kPositions, 5), full = at::softmax(scores, -1);
  const at::Tensor later = later_keys(kPositions);
  const at::Tensor masked = clamped(causal(scores), 1e-3).masked_fill(later, 0);
  for (const auto type : {at::kDouble, at::kFloat}) {
    EXPECT_THAT(remarks(clamped(full, 1e-3).to(type), kFull), says);
    EXPECT_THAT(remarks(masked.to(type), kCausal), says);
    EXPECT_THAT(remarks(full.to(type), kFull), Not(HasSubstr(kLeast)));
  }
  expect_none(full, kFull);
  // Of half of the rows.
  at::Tensor half = clamped(full, 1e-3).clone();
  half.slice(0, 2) = full.slice(0, 2);
  EXPECT_THAT(remarks(half, kFull), Not(HasSubstr(kLeast)));
  half[2][0] = clamped(full, 1e-3)[2][0];
  EXPECT_THAT(remarks(half, kFull), says);
  // Weights of 0 are none.
  EXPECT_THAT(remarks(full.masked_fill(full.lt(1e-3), 0), kFullOfZeros), Not(HasSubstr(kLeast)));
  // Of few rows, or few keys.
  EXPECT_THAT(remarks(clamped(full, 1e-3).slice(0, 0, 2).slice(1, 0, 4), kFull), says);
  EXPECT_THAT(remarks(clamped(full, 1e-3).slice(0, 0, 2).slice(1, 0, 3), kFull),
              Not(HasSubstr(kLeast)));
  const auto three_least_alike = [](std::int64_t keys) {
    const at::Tensor rows = at::softmax(scores_of(kPositions, keys, 5), -1);
    const at::Tensor all = at::maximum(rows, std::get<0>(rows.sort(-1)).slice(2, 2, 3));
    return all / all.sum(-1, true);
  };
  EXPECT_THAT(remarks(three_least_alike(8), kFull), says);
  EXPECT_THAT(remarks(three_least_alike(7), kFull), Not(HasSubstr(kLeast)));
  // Of one other weight.
  const at::Tensor peaks = full.eq(full.amax(-1, true)).to(at::kDouble) * 0.9 + 0.1 / kPositions;
  EXPECT_THAT(remarks(peaks, kFull), Not(HasSubstr(kLeast)));
  // Of twice the least in each row, and others that come again.
  const at::Tensor sorted = std::get<0>(full.sort(-1));
  const at::Tensor twice = at::maximum(full, sorted.slice(2, 1, 2));
  EXPECT_THAT(remarks(twice / twice.sum(-1, true), kFull), Not(HasSubstr(kLeast)));
  const at::Tensor thrice = at::maximum(full, sorted.slice(2, 2, 3));
  EXPECT_THAT(remarks(thrice / thrice.sum(-1, true), kFull), says);
  at::Tensor again = thrice.masked_fill(full.eq(sorted.slice(2, 3, 4)), 0);
  again = at::maximum(again, sorted.slice(2, 4, 5) * again.eq(0));
  EXPECT_THAT(remarks(again / again.sum(-1, true), kFull), Not(HasSubstr(kLeast)));
}

TEST_F(Processed, LeastWeightsOfKeysThatAreAlike) {
  // Three keys, at other places in no head.
  at::Tensor scores = scores_of(kPositions, kPositions, 1);
  for (const std::int64_t key : {4, 9, 15}) scores.select(2, key).copy_(scores.select(2, 2) - 9);
  scores.select(2, 2).copy_(scores.select(2, 4));
  EXPECT_THAT(remarks(at::softmax(scores, -1), kFullOfZeros), Not(HasSubstr(kLeast)));
  EXPECT_THAT(remarks(causal(scores), kCausal), Not(HasSubstr(kLeast)));
  // Images of 8 bits.
  for (const double size : {0.5, 2.0, 6.0}) {
    for (const std::int64_t keys : {std::int64_t{8}, kPositions}) {
      const at::Tensor weights = at::softmax(scores_of(kPositions, keys, size), -1);
      const at::Tensor image = (weights / weights.amax() * 255).round();
      EXPECT_THAT(remarks((image / 255).to(at::kFloat), kFullOfZeros), Not(HasSubstr(kLeast)));
      const at::Tensor divided = (image / image.sum(-1, true).clamp_min(1)).to(at::kFloat);
      EXPECT_THAT(remarks(divided, kFullOfZeros), Not(HasSubstr(kLeast)));
    }
  }
  // Weights that are level but for some, where 16 bits make others of one size.
  const at::Tensor spikes = at::softmax(at::softmax(scores_of(kPositions, kPositions, 5), -1), -1);
  for (const auto type : kTypes) {
    EXPECT_THAT(remarks(spikes.to(type), kFull), Not(HasSubstr(kLeast)));
  }
}

/// Each number as text with so many significant digits has it.
at::Tensor as_text(const at::Tensor& numbers, int digits) {
  at::Tensor result = numbers.clone().contiguous();
  for (std::int64_t i = 0; i < result.numel(); ++i) {
    double& number = result.data_ptr<double>()[i];
    number = std::strtod(fmt::format("{:.{}g}", number, digits).c_str(), nullptr);
  }
  return result;
}

TEST_F(Processed, WrittenAsText) {
  const at::Tensor pattern = causal(scores_of(kPositions, kPositions));
  for (const int digits : {2, 3, 4, 5, 6}) {
    SCOPED_TRACE(digits);
    const auto says = HasSubstr(fmt::format(
        "layer 0: the weights have no more than {} significant digits: were they written as text",
        digits));
    const at::Tensor text = as_text(pattern, digits);
    for (const auto type : {at::kDouble, at::kFloat}) {
      EXPECT_THAT(remarks(text.to(type), kCausal), says);
      EXPECT_THAT(remarks(text.to(type).to(at::kDouble), kCausal), says);
      at::Tensor one_more = text.to(type).clone();
      one_more[2][20][3] = 0.0312345678;
      EXPECT_THAT(remarks(one_more, kCausal), Not(HasSubstr(kText)));
    }
    // What 16 bits round does not show it.
    if (digits > 2) {
      EXPECT_THAT(remarks(text.to(at::kBFloat16), kCausal), Not(HasSubstr(kText)));
    }
  }
  EXPECT_THAT(remarks(as_text(pattern, 7).to(at::kFloat), kCausal), Not(HasSubstr(kText)));
  expect_none(pattern, kCausal);
  // Few different ones.
  at::Tensor few = at::full({kHeads, kPositions, 16}, 0.0625, at::kDouble);
  for (std::int64_t key = 1; key < 15; ++key) {
    const double weight = 0.06 + 0.001 * static_cast<double>(key);
    few.select(2, key).masked_fill_(at::rand({kHeads, kPositions}).gt(0.5), weight);
  }
  EXPECT_THAT(remarks(few, kFull), Not(HasSubstr(kText)));
  few[0][0][0] = 0.0755;
  EXPECT_THAT(remarks(few, kFull), HasSubstr("no more than 3 significant digits"));
  // Of decimals there is a line of its own.
  const at::Tensor decimals = (causal(scores_of(kPositions, kPositions, 6)) * 1e3).round() / 1e3;
  EXPECT_THAT(remarks(decimals.to(at::kFloat), kCausal),
              AllOf(HasSubstr("rounded to 3 decimals"), Not(HasSubstr(kText))));
}

TEST_F(Processed, MeansOfAPatternAndItsTranspose) {
  const auto says = HasSubstr(
      "layer 0: the weight of a key for a query is that of the query for the key in every head: "
      "are they the mean of a pattern and its transpose?");
  const at::Tensor scores = scores_of(kPositions, kPositions), full = at::softmax(scores, -1);
  const auto mean = [](const at::Tensor& weights) {
    return (weights + weights.transpose(1, 2)) / 2;
  };
  at::Tensor near = mean(full);
  near[2][3][20] *= 1.1;
  for (const auto type : kTypes) {
    SCOPED_TRACE(at::toString(type));
    EXPECT_THAT(remarks(mean(full.to(type)), kFull), says);
    EXPECT_THAT(remarks(mean(causal(scores)).to(type), kFull), says);
    EXPECT_THAT(remarks(near.to(type), kFull), Not(HasSubstr(kTransposed)));
  }
  near = mean(full);
  near[2][3][20] *= 1 + 1e-5;
  EXPECT_THAT(remarks(near.to(at::kFloat), kFull), Not(HasSubstr(kTransposed)));
  at::Tensor padded = at::zeros({kHeads, kPositions + 2, kPositions + 2}, at::kDouble);
  padded.slice(1, 0, kPositions).slice(2, 0, kPositions).copy_(mean(full));
  EXPECT_THAT(remarks(padded, {{"mask", "full"}, {"padding", "[24, 25]"}}), says);
  near = mean(full);
  near[1] = full[1];
  expect_none(near, kFull);
  expect_none(full, kFull);
  EXPECT_THAT(remarks(mean(at::softmax(scores_of(8, 8), -1)), kFull), says);
  EXPECT_THAT(remarks(mean(at::softmax(scores_of(7, 7), -1)), kFull), Not(HasSubstr(kTransposed)));
}

TEST_F(Processed, TransposedAnyway) {
  // Of documents whose rows are level, and of queries that see themselves alone.
  at::Tensor level = at::zeros({kHeads, kPositions, kPositions}, at::kDouble);
  level.slice(1, 0, 10).slice(2, 0, 10).fill_(0.1);
  level.slice(1, 10).slice(2, 10).fill_(1.0 / 14);
  expect_none(level, kHiding);
  expect_none(level, kFullOfZeros);
  const at::Tensor identity = at::eye(kPositions, at::kDouble).expand({kHeads, -1, -1});
  expect_none(identity, kFullOfZeros);
  expect_none(identity, kCausal);
  expect_none(identity * 0.9 + 0.1 / kPositions, kFull);
  // Of what Sinkhorn makes there is a line of its own.
  const at::Tensor scores = scores_of(kPositions, kPositions);
  at::Tensor sinkhorn = (scores + scores.transpose(1, 2)).exp();
  for (int round = 0; round < 200; ++round) {
    const at::Tensor root = sinkhorn.sum(-1, true).sqrt();
    sinkhorn = sinkhorn / root / root.transpose(1, 2);
  }
  EXPECT_THAT(remarks(sinkhorn, kFull),
              AllOf(HasSubstr("columns of the pattern sum to 1"), Not(HasSubstr(kTransposed))));
}

/// The mean of each row and all rows before it.
at::Tensor running_means(const at::Tensor& weights) {
  return weights.cumsum(1) / at::arange(1, weights.size(1) + 1).view({1, -1, 1});
}

TEST_F(Processed, RunningMeans) {
  const auto says = HasSubstr(
      "layer 0: each row may be a mean over all rows so far: are the weights running means");
  const at::Tensor pattern = causal(scores_of(kPositions, kPositions));
  for (const auto type : kTypes) {
    SCOPED_TRACE(at::toString(type));
    EXPECT_THAT(remarks(running_means(pattern).to(type), kCausal), says);
    const at::Tensor full = at::softmax(scores_of(kPositions, kPositions), -1);
    EXPECT_THAT(remarks(running_means(full).to(type), kFull), says);
  }
  EXPECT_THAT(remarks(running_means(pattern.slice(1, 0, 8).slice(2, 0, 8)), kCausal), says);
  expect_none(running_means(pattern.slice(1, 0, 7).slice(2, 0, 7)), kCausal);
  // Padding in front has no rows.
  at::Tensor padded = at::zeros({kHeads, kPositions + 3, kPositions + 3}, at::kDouble);
  padded.slice(1, 3).slice(2, 3).copy_(running_means(pattern));
  EXPECT_THAT(remarks(padded, {{"mask", "causal"}, {"padding", "[0, 1, 2]"}}), says);
  at::Tensor near = running_means(pattern);
  near[1][20] = pattern[1][20];
  expect_none(near, kCausal);
  near = running_means(pattern);
  near[3] = pattern[3];
  expect_none(near, kCausal);
  expect_none(pattern, kCausal);
}

TEST_F(Processed, RowsThatHoldWhatTheRowBeforeHolds) {
  // Rows of one query, under a causal mask divided by other sums.
  const at::Tensor row = at::arange(kPositions, at::kDouble) * -0.2;
  const at::Tensor alike = row.expand({kHeads, kPositions, kPositions});
  expect_none(causal(alike), kCausal);
  expect_none(at::softmax(alike, -1), kFullOfZeros);
  expect_none(causal(alike * 0), kCausal);
  expect_none(at::softmax(alike * 0, -1), kFull);
  at::Tensor sink = at::zeros({kHeads, kPositions, kPositions}, at::kDouble);
  sink.select(2, 0).fill_(1);
  expect_none(sink, kCausal);
  // Nearly so.
  expect_none(causal(alike + scores_of(kPositions, kPositions, 1e-3)), kCausal);
  expect_none(at::softmax(scores_of(kPositions, kPositions, 1e-2), -1), kFull);
}

/// Weights of which each query and key has those of its neighbours in a coarser pattern, as maps
/// that are resized do.
at::Tensor resized(const at::Tensor& coarse, std::int64_t size) {
  const std::int64_t of = coarse.size(1);
  const at::Tensor place = (at::arange(size, at::kDouble) + 0.5) *
                               (static_cast<double>(of) / static_cast<double>(size)) -
                           0.5;
  const at::Tensor off =
      (place.clamp(0, static_cast<double>(of - 1)).unsqueeze(1) - at::arange(of)).abs();
  const at::Tensor mixed = (1 - off).clamp_min(0);  // [size, of]
  const at::Tensor weights = at::matmul(at::matmul(mixed, coarse), mixed.t());
  return weights / weights.sum(-1, true);
}

TEST_F(Processed, CombinationsOfFewRows) {
  const auto says = [](int rows) {
    return HasSubstr(
        fmt::format("layer 0: the rows of each head are combinations of {} rows or "
                    "fewer: were they resized, or made without a softmax?",
                    rows));
  };
  const at::Tensor coarse = at::softmax(scores_of(12, 12), -1), maps = resized(coarse, 40);
  // Kernels of 10 numbers, divided by their sums.
  const at::Tensor features =
      at::matmul(scores_of(kPositions, 10, 1).abs(), scores_of(10, kPositions, 1).abs());
  const at::Tensor linear = features / features.sum(-1, true);
  for (const auto type : {at::kDouble, at::kFloat}) {
    EXPECT_THAT(remarks(maps.to(type), kFull), says(12));
    EXPECT_THAT(remarks(linear.to(type), kFull), says(10));
  }
  // The most of the heads.
  at::Tensor heads = maps.clone();
  heads[1] = resized(at::softmax(scores_of(15, 15), -1), 40)[1];
  EXPECT_THAT(remarks(heads, kFull), says(15));
  heads[1] = at::softmax(scores_of(40, 40), -1)[1];
  expect_none(heads, kFull);
  // Of less than 8 rows, and of three quarters of them.
  EXPECT_THAT(remarks(resized(at::softmax(scores_of(8, 8), -1), 40), kFull), says(8));
  expect_none(resized(at::softmax(scores_of(7, 7), -1), 40), kFull);
  EXPECT_THAT(remarks(resized(at::softmax(scores_of(29, 29), -1), 40), kFull), says(29));
  expect_none(resized(at::softmax(scores_of(30, 30), -1), 40), kFull);
  // Of more queries it is not looked for.
  EXPECT_THAT(remarks(resized(coarse.slice(0, 0, 1), 256), kFull), says(12));
  expect_none(resized(coarse.slice(0, 0, 1), 257), kFull);
  // More than rounding, and where not all keys are seen, or have weights.
  const at::Tensor others = maps * (1 + at::rand(maps.sizes(), at::kDouble) * 1e-4);
  EXPECT_THAT(remarks(others.to(at::kFloat), kFull), Not(HasSubstr(kFewRows)));
  expect_none(maps.masked_fill(later_keys(40), 0), kCausal);
  at::Tensor hiding = maps.clone();
  hiding.select(1, 3).fill_(0);
  hiding.select(2, 5).fill_(0);
  EXPECT_THAT(remarks(hiding, kHiding), says(12));
  hiding[2][7][9] = 0;
  expect_none(hiding, kHiding);
  // Of numbers that are so far apart that no double holds their quotients.
  at::Tensor far = at::zeros({kHeads, 20, 20}, at::kDouble);
  far.select(1, 4).fill_(-740);
  far.select(2, 7).fill_(-740);
  far.select(1, 4).select(1, 7).fill_(0);
  expect_none(at::softmax(far, -1), kFullOfZeros);
}

/// Softmax makes e^w of weights w, whose logarithms show them.
TEST_F(Processed, SoftmaxOfWeights) {
  const at::Tensor scores = scores_of(kPositions, kPositions, 4), later = later_keys(kPositions);
  const at::Tensor twice = at::softmax(at::softmax(scores, -1), -1);
  const at::Tensor causal_twice = causal(causal(scores));
  for (const auto type : {at::kDouble, at::kFloat}) {
    EXPECT_THAT(remarks(twice.to(type), kFull), HasSubstr(kAgain));
    EXPECT_THAT(remarks(causal_twice.to(type), {{"mask", "causal"}}), HasSubstr(kAgain));
  }
  // In 16 bits, of weights that are nearly level, where one is below 0, and of few keys.
  expect_none(twice.to(at::kBFloat16), kFull);
  expect_none(at::softmax(at::softmax(scores / 100, -1), -1), kFull);
  at::Tensor below = at::softmax(scores, -1);
  below[2][9][3] = -0.01;
  expect_none(at::softmax(below, -1), kFull);
  const at::Tensor few = scores.slice(1, 0, 7).slice(2, 0, 7);
  expect_none(at::softmax(at::softmax(few, -1), -1), kFull);
  // Three keys that all queries prefer, and a quarter of the rows that do not show it.
  at::Tensor preferred = scores.clone();
  preferred.slice(2, 0, 3) += 30;
  expect_none(at::softmax(at::softmax(preferred, -1), -1), kFull);
  at::Tensor level = scores.clone();
  level.slice(1, 5) /= 100;
  expect_none(at::softmax(at::softmax(level, -1), -1), kFull);
  level.slice(1, 5, 9) *= 100;
  EXPECT_THAT(remarks(at::softmax(at::softmax(level, -1), -1), kFull), HasSubstr(kAgain));
  // A little more of each query's own key than of all others, which are not level.
  const at::Tensor own = at::eye(kPositions, at::kDouble) * 0.5;
  expect_none(at::softmax(scores / 40 + own, -1), kFull);
  // Where they are level, the others would be weights of more than next to nothing.
  EXPECT_THAT(remarks(at::softmax(own, -1).repeat({kHeads, 1, 1}), kFullOfZeros),
              Not(HasSubstr(kAgain)));
}

TEST_F(Processed, SoftmaxOfFewNumbersOrOfRepeatedTokens) {
  for (int run = 0; run < 48; ++run) {
    SCOPED_TRACE(run);
    const std::int64_t d = run % 4 == 3 ? 16 : 1 + run % 4, heads = 1 + run % 3;
    const double size = std::pow(10, run % 8 * 0.7 - 4.2);
    const std::int64_t positions = 9 + run % 5 * 10;
    const at::Tensor scores = products_of(heads, positions, d, size);
    expect_none_if_read(at::softmax(scores, -1), kFull);
    expect_none_if_read(causal(scores), kCausal);
    const at::Tensor tokens = at::randint(0, 12, {positions});
    const at::Tensor repeated = scores_of(12, 12).index_select(1, tokens.clamp_max(11));
    expect_none_if_read(at::softmax(repeated.index_select(2, tokens), -1).slice(0, 0, heads),
                        kFull);
  }
  EXPECT_GT(read, 4 * asked);
}

/// The softmax over the queries of scores, and each row divided by its sum.
at::Tensor over_queries(const at::Tensor& scores) {
  const at::Tensor weights = at::softmax(scores, 1);
  return weights / weights.sum(-1, true);
}

TEST_F(Processed, SoftmaxOverTheQueries) {
  for (const double size : {0.5, 1.0, 1.5}) {
    SCOPED_TRACE(size);
    const at::Tensor scores = scores_of(kPositions, kPositions, size);
    for (const auto type : {at::kDouble, at::kFloat}) {
      EXPECT_THAT(remarks(over_queries(scores).to(type), kFull), HasSubstr(kQueries));
      EXPECT_THAT(remarks(at::softmax(scores, -1).to(type), kFull), Not(HasSubstr(kQueries)));
    }
    // In all heads but one.
    at::Tensor near = over_queries(scores);
    near[2] = at::softmax(scores[2], -1);
    expect_none(near, kFull);
  }
  // Padding, and more tokens than are looked at.
  at::Tensor padded = at::zeros({kHeads, kPositions + 2, kPositions + 2}, at::kDouble);
  padded.slice(1, 2).slice(2, 2).copy_(over_queries(scores_of(kPositions, kPositions, 1)));
  EXPECT_THAT(remarks(padded, {{"mask", "full"}, {"padding", "[0, 1]"}}), HasSubstr(kQueries));
  const at::Tensor many = over_queries(scores_of(257, 257, 1).slice(0, 0, 1));
  expect_none(many, kFull);
  EXPECT_THAT(remarks(over_queries(scores_of(256, 256, 1).slice(0, 0, 1)), kFull),
              HasSubstr(kQueries));
}

/// Rows that each have a key of their own, or are level, have factors that make every column sum to
/// 1.
TEST_F(Processed, OwnKeysAreNotOfQueries) {
  const at::Tensor scores = scores_of(kPositions, kPositions, 1);
  const at::Tensor own = at::eye(kPositions, at::kDouble), none = at::zeros_like(scores);
  for (const double size : {3.0, 6.0, 12.0}) {
    SCOPED_TRACE(size);
    expect_none_if_read(at::softmax(scores + own * size, -1), kFull);
    expect_none_if_read(causal(scores + own * size), kCausal);
    expect_none_if_read(at::softmax(scores / 100 + own * size / 4, -1), kFull);
    expect_none_if_read(at::softmax(scores + own.roll(1) * size, -1), kFull);
  }
  const at::Tensor place = at::arange(kPositions, at::kDouble);
  const at::Tensor distances = (place.unsqueeze(1) - place).abs();
  for (const double slope : {0.3, 0.5, 1.0, 2.0}) {
    SCOPED_TRACE(slope);
    expect_none_if_read(at::softmax(none - distances * slope, -1), kFull);
    expect_none_if_read(causal(none - distances * slope), kCausal);
    expect_none_if_read(at::softmax(none - distances.square() * (slope / 10), -1), kFull);
    expect_none_if_read(at::softmax(scores / 20 - distances * slope, -1), kFull);
    expect_none_if_read(causal(scores / 20 - distances * slope), kCausal);
  }
  expect_none_if_read(causal(none), kCausal);
  expect_none_if_read(at::softmax(none, -1), kFull);
  for (const std::int64_t tokens : {2, 3, 4}) {
    const at::Tensor few = scores.slice(1, 0, tokens).slice(2, 0, tokens);
    expect_none_if_read(at::softmax(few, -1), kFull);
    expect_none_if_read(over_queries(few), kFull);
  }
  // Queries and keys that are the same.
  const at::Tensor x = at::randn({kHeads, kPositions, 8}, at::kDouble);
  for (const double size : {0.2, 0.5, 1.0}) {
    expect_none_if_read(at::softmax(at::matmul(x, x.transpose(1, 2)) * size, -1), kFull);
  }
  EXPECT_GT(read, 2 * asked);
}

/// Weights that stay, by `part`, and else go on to those of the keys.
at::Tensor diffused(const at::Tensor& weights, double part) {
  const at::Tensor identity = at::eye(weights.size(1), at::kDouble);
  return at::linalg_inv(identity - weights * (1 - part)) * part;
}

TEST_F(Processed, Diffusion) {
  const at::Tensor scores = scores_of(kPositions, kPositions);
  for (const double part : {0.1, 0.15, 0.25}) {
    SCOPED_TRACE(part);
    const at::Tensor full = diffused(at::softmax(scores, -1), part);
    const at::Tensor of_causal = diffused(causal(scores), part).tril();
    for (const auto type : {at::kDouble, at::kFloat}) {
      EXPECT_THAT(remarks(full.to(type), kFull), HasSubstr(kDiffusion));
      EXPECT_THAT(remarks(of_causal.to(type), kCausal), HasSubstr(kDiffusion));
    }
    at::Tensor near = full.clone();
    near[3] = at::softmax(scores[3], -1);
    expect_none(near, kFull);
    near = full.clone();
    near[2][7] = at::softmax(scores[2][7], -1);
    expect_none(near, kFull);
  }
  // More of each query's own key than of all others, as level as those are.
  const at::Tensor own = at::eye(kPositions, at::kDouble);
  expect_none((own * 0.4 + 0.6 / kPositions).repeat({kHeads, 1, 1}), kFull);
  expect_none_if_read(at::softmax(scores / 100 + own * 3, -1), kFull);
}

/// The softmax of the keys of a group times a number of the head, and that of the others times the
/// rest. `group`: [key], booleans.
at::Tensor gated_groups(const at::Tensor& scores, const at::Tensor& group, const at::Tensor& gate) {
  const at::Tensor share = gate.view({-1, 1, 1});
  const auto part = [&](const at::Tensor& hidden) {
    return at::softmax(scores.masked_fill(hidden, -kInfinity), -1);
  };
  return part(group.logical_not()) * share + part(group) * (1 - share);
}

TEST_F(Processed, SharesOfAGroupOfKeys) {
  const at::Tensor scores = scores_of(kPositions, kPositions), gates = some_gates();
  const at::Tensor group = at::arange(kPositions).remainder(5).lt(2);
  const auto says = HasSubstr(
      "layer 0: one share of the weight lies on 10 keys, the first among them, in all rows of each "
      "head, and the rest on 14 others: was the softmax of these and of the others taken apart?");
  for (const auto type : {at::kDouble, at::kFloat}) {
    EXPECT_THAT(remarks(gated_groups(scores, group, gates).to(type), kFull), says);
    const at::Tensor half = at::full({kHeads}, 0.5, at::kDouble);
    EXPECT_THAT(remarks(gated_groups(scores, group, half).to(type), kFull), says);
    const at::Tensor other = gated_groups(scores, group.logical_not(), gates);
    EXPECT_THAT(remarks(other.to(type), kFull), says);
  }
  // Of the first keys there is a line of its own.
  const at::Tensor first = at::arange(kPositions).lt(5);
  EXPECT_THAT(remarks(gated_groups(scores, first, gates).to(at::kFloat), kFull),
              AllOf(HasSubstr(kShare), Not(HasSubstr(kGroup))));
  at::Tensor near = gated_groups(scores, group, gates);
  near[2] = at::softmax(scores[2], -1);
  expect_none(near, kFull);
  near[2] = gated_groups(scores, group.roll(1), gates)[2];  // of another group
  expect_none(near, kFull);
  near = gated_groups(scores, group, gates);
  near[2][9] = at::softmax(scores[2][9], -1);
  expect_none(near, kFull);
  expect_none(gated_groups(scores, group, at::tensor({0.3, 0.019, 0.4, 0.5}, at::kDouble)), kFull);
  expect_none(gated_groups(scores, group, at::tensor({0.3, 0.981, 0.4, 0.5}, at::kDouble)), kFull);
  // A combination of keys that no row has any of, though their shares differ.
  const at::Tensor uneven = gated_groups(scores, group, gates) * (at::rand({kPositions}) + 0.5);
  expect_none(uneven / uneven.sum(-1, true), kFull);
  // Fewer queries than keys have combinations of keys of one share by themselves.
  expect_none(gated_groups(scores.slice(1, 0, 20), group, gates), kFull);
  // Keys that are alike, and rows.
  at::Tensor twice = scores.clone();
  twice.select(2, 7).copy_(twice.select(2, 12));
  expect_none(at::softmax(twice, -1), kFull);
  expect_none(gated_groups(scores.slice(1, 0, 1).expand({-1, kPositions, -1}), group, gates),
              kFull);
}

TEST_F(Processed, FewRowsUnderACausalMask) {
  const auto linear = [&](std::int64_t features) {
    const at::Tensor of =
        at::matmul(scores_of(40, features, 1).abs(), scores_of(features, 40, 1).abs());
    const at::Tensor seen = of.masked_fill(later_keys(40), 0);
    return seen / seen.sum(-1, true);
  };
  for (const auto type : {at::kDouble, at::kFloat}) {
    EXPECT_THAT(remarks(linear(10).to(type), kCausal), HasSubstr(kFewRows));
    EXPECT_THAT(remarks(causal(products_of(kHeads, 40, 4, 2)).to(type), kCausal),
                Not(HasSubstr(kFewRows)));
  }
  EXPECT_THAT(remarks(linear(14), kCausal), HasSubstr("combinations of 14 rows or fewer"));
  expect_none(linear(15), kCausal);
  at::Tensor near = linear(10);
  near[1] = causal(scores_of(40, 40))[1];
  expect_none(near, kCausal);
  near = linear(10);
  near[2][30][4] = 0;
  expect_none(near, kCausal);
}

/// Means of the last rows, of all of fewer.
at::Tensor rolling_means(const at::Tensor& weights, std::int64_t count) {
  std::vector<at::Tensor> rows;
  for (std::int64_t row = 0; row < weights.size(1); ++row) {
    rows.push_back(weights.slice(1, std::max<std::int64_t>(row + 1 - count, 0), row + 1).mean(1));
  }
  return at::stack(rows, 1);
}

/// Each row times a part, and the row before times the rest; `adjusted`: by the sum of the parts.
at::Tensor smoothed(const at::Tensor& weights, double part, bool adjusted) {
  std::vector<at::Tensor> rows{weights.select(1, 0)};
  double sum = 1;
  for (std::int64_t row = 1; row < weights.size(1); ++row) {
    const double rest = adjusted ? (1 - part) * sum : (1 - part) / part;
    sum = 1 + rest;
    rows.push_back((weights.select(1, row) + rows.back() * rest) / sum);
  }
  return at::stack(rows, 1);
}

TEST_F(Processed, AveragesOfRows) {
  const at::Tensor scores = scores_of(kPositions, kPositions, 3), full = at::softmax(scores, -1);
  const at::Tensor masked = causal(scores);
  const auto says = [](const char* words) {
    return HasSubstr(fmt::format("layer 0: each row may be an average of rows, {}", words));
  };
  for (const auto type : {at::kDouble, at::kFloat}) {
    for (const std::int64_t count : {2, 3, 5, 8}) {
      const auto last = fmt::format("the last {} of other weights: were", count);
      EXPECT_THAT(remarks(rolling_means(full, count).to(type), kFull), says(last.c_str()));
      EXPECT_THAT(remarks(rolling_means(masked, count).to(type), kCausal), says(last.c_str()));
    }
    for (const double part : {0.3, 0.5, 0.7}) {
      for (const bool adjusted : {false, true}) {
        SCOPED_TRACE(part);
        EXPECT_THAT(remarks(smoothed(full, part, adjusted).to(type), kFull),
                    says("the later ones by more"));
        EXPECT_THAT(remarks(smoothed(masked, part, adjusted).to(type), kCausal),
                    says("the later ones by more"));
      }
    }
  }
  for (at::Tensor near : {rolling_means(full, 3), smoothed(full, 0.5, false)}) {
    at::Tensor row = near.clone();
    row[1].slice(0, 15, 20) = full[1].slice(0, 15, 20);
    expect_none(row, kFull);
    near[2] = full[2];
    expect_none(near, kFull);
  }
  expect_none(full, kFull);
  expect_none(masked, kCausal);
}

TEST_F(Processed, MeansOverLayers) {
  constexpr const char* kLayers = "were the patterns averaged over the layers?";
  const auto remarks_of = [&](const std::vector<at::Tensor>& layers) {
    test::Tensors stored;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      stored[names::pattern(static_cast<std::int64_t>(i))] = layers[i].contiguous();
    }
    return test::all_remarks(*opened(stored, kCausal));
  };
  std::vector<at::Tensor> sound, means;
  at::Tensor sum = at::zeros({kHeads, kPositions, kPositions}, at::kDouble);
  for (int layer = 0; layer < 4; ++layer) {
    sound.push_back(causal(scores_of(kPositions, kPositions)).to(at::kFloat));
    sum = sum + sound.back();
    means.push_back((sum / (layer + 1)).to(at::kFloat));
  }
  EXPECT_THAT(remarks_of(means), HasSubstr(kLayers));
  EXPECT_THAT(remarks_of({means[0], means[1]}), HasSubstr(kLayers));
  EXPECT_THAT(remarks_of(sound), Not(HasSubstr(kLayers)));
  std::vector<at::Tensor> near = means;
  near[3] = sound[3];
  EXPECT_THAT(remarks_of(near), Not(HasSubstr(kLayers)));
  near = means;
  near[1] = means[1].clone();
  near[1][3] = sound[1][3];
  EXPECT_THAT(remarks_of(near), Not(HasSubstr(kLayers)));
  // Layers that are alike, or nearly level.
  EXPECT_THAT(remarks_of({sound[0], sound[0]}), Not(HasSubstr(kLayers)));
  const auto level = [] { return causal(scores_of(kPositions, kPositions, 0.1)); };
  EXPECT_THAT(remarks_of({level(), level()}), Not(HasSubstr(kLayers)));
  const at::Tensor of_first = causal(scores_of(kPositions, kPositions) * 0);
  EXPECT_THAT(remarks_of({of_first, sound[0].to(at::kDouble)}), Not(HasSubstr(kLayers)));
}

TEST_F(Processed, RowsThatAreNoAverages) {
  const at::Tensor scores = scores_of(kPositions, kPositions, 1);
  const at::Tensor place = at::arange(kPositions, at::kDouble);
  const at::Tensor distances = (place.unsqueeze(1) - place).abs();
  for (const double size : {0.0, 1e-3, 1e-2, 0.1, 0.5}) {
    SCOPED_TRACE(size);
    expect_none_if_read(at::softmax(scores * size, -1), kFull);
    expect_none_if_read(causal(scores * size), kCausal);
    for (const double slope : {0.3, 0.5, 2.0}) {
      expect_none_if_read(at::softmax(scores * (size / 10) - distances * slope, -1), kFull);
      expect_none_if_read(causal(scores * (size / 10) - distances * slope), kCausal);
      expect_none_if_read(causal(scores * (size / 10) - distances * slope).slice(0, 0, 1), kCausal);
    }
  }
  // Few rows, and rows that come twice.
  expect_none_if_read(rolling_means(at::softmax(scores, -1).slice(1, 0, 5), 3), kFull);
  const at::Tensor twice = at::softmax(scores, -1).slice(1, 0, 12).repeat_interleave(2, 1);
  expect_none_if_read(twice.contiguous(), kFull);
  EXPECT_GT(read, 2 * asked);
}

/// Sinks, windows, dropout, padding, and weights of one key.
TEST_F(Processed, SoundPatternsOfManyKinds) {
  for (int run = 0; run < 20; ++run) {
    SCOPED_TRACE(run);
    const std::int64_t heads = 1 + run % kHeads;
    const double size = std::pow(10, run % 7 * 0.5 - 2);
    at::Tensor scores = products_of(heads, kPositions, 8, size);
    const at::Tensor plain = at::softmax(scores, -1);
    const at::Tensor kept = at::rand(plain.sizes(), at::kDouble).gt(0.1);
    expect_none_if_read(plain * kept / 0.9, kFullOfZeros);
    expect_none_if_read(plain.eq(plain.amax(-1, true)).to(at::kDouble), kFullOfZeros);
    const at::Tensor early = at::ones({kPositions, kPositions}, at::kBool).tril(-9);
    expect_none_if_read(causal(scores.masked_fill(early, -kInfinity)), {{"mask", "window:9"}});
    scores.select(2, 0) += 5;
    expect_none_if_read(causal(scores), kCausal);
    expect_none_if_read(at::softmax(scores, -1), kFull);
    expect_none_if_read(at::softmax(scores, -1) * 0.7, kFull);
    expect_none_if_read(causal(scores - later_keys(kPositions).to(at::kDouble).cumsum(1).t()),
                        kCausal);
  }
  EXPECT_GT(read, 4 * asked);
}

}  // namespace
}  // namespace attn::gpt2
