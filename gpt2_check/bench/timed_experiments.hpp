#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gpt2_check/bench/floor.hpp"
#include "gpt2_check/heads/head.hpp"

namespace attn::gpt2 {

/// Width of queries, keys and embeddings of a head of GPT-2.
inline constexpr Eigen::Index kHeadWidth = 64;

/// One experiment on one head, as it is measured and as the paper's text states it.
struct TimedExperiment {
  std::string id, title;
  std::function<void(const Head&)> ours;
  std::function<Work(double tokens)> work;  ///< of `ours`
  std::function<void(const Head&)> plain;
  std::function<double(double tokens)> plain_operations;  ///< how `plain` grows, any unit
  bool counts{true};  ///< whether it is a part of the whole that no other holds
};

/// The five, and what one pass over the rows of a head gives of 1, 2 and 4: D, both readings of E,
/// the bounds and N_s/N of every row and N. `ours` of 1 and 2 is that pass over their own rows,
/// which takes the products of the whole head too; `ours` of 4 is all of the pass.
std::vector<TimedExperiment> timed_experiments();

/// All that is measured of a head, with and without its first token and with other normalisers.
void measure_everything(const Head& head);

/// The tests of experiment 3 for every N of all lengths, on `heads` heads of which D and E have
/// nothing in common, so that no test ends them.
void test_every_n(double tokens, std::size_t heads);
Work work_of_tests(double tokens, std::size_t heads);

}  // namespace attn::gpt2
