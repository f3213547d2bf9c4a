#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gpt2_check/bench/floor.hpp"
#include "gpt2_check/heads/head.hpp"

namespace attn::gpt2 {

/// Width of queries, keys and embeddings of a head of GPT-2.
inline constexpr Eigen::Index kHeadWidth = 64;

/// One experiment on one head.
struct TimedExperiment {
  std::string id, title;
  std::function<void(const Head&)> run;
  std::function<Work(double tokens)> work;  ///< of `run`
  bool counts{true};  ///< whether it is a part of the whole that no other holds
};

/// The five. One pass over the rows of a head gives 1, 2 and 4: D, both readings of E, the bounds
/// and N_s/N of every row and N. 1 and 2 are that pass over their own rows, which takes the
/// products of the whole head too.
std::vector<TimedExperiment> timed_experiments();

/// All that is measured of a head, with and without its first token and with other normalisers.
void measure_everything(const Head& head);

/// The tests of experiment 3 for every N of all lengths, on `heads` heads of which D and E have
/// nothing in common, so that no test ends them.
void test_every_n(double tokens, std::size_t heads);
Work work_of_tests(double tokens, std::size_t heads);

}  // namespace attn::gpt2
