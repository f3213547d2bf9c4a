#include "theory/units/team.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/tests/temporary_folder.hpp"

namespace attn::units {

namespace {

const Identity kIdentity = {{"command", "square"}, {"commit", "abc"}};

/// The letters of ranks that are threads of one process.
struct Post {
  std::mutex guard;
  std::vector<std::deque<Message>> boxes;
};

class Threads : public Messages {
 public:
  Threads(Post& post, unsigned rank) : post_(post), rank_(rank) {}
  [[nodiscard]] unsigned rank() const override { return rank_; }
  [[nodiscard]] unsigned count() const override {
    return static_cast<unsigned>(post_.boxes.size());
  }
  using Messages::send;
  void send(unsigned to, MessageKind kind, std::uint64_t unit, std::string text) override {
    const std::lock_guard lock(post_.guard);
    post_.boxes[to].push_back({rank_, kind, unit, std::move(text)});
  }

 private:
  std::optional<Message> next() override {
    const std::lock_guard lock(post_.guard);
    if (post_.boxes[rank_].empty()) return {};
    Message message = post_.boxes[rank_].front();
    post_.boxes[rank_].pop_front();
    return message;
  }

  Post& post_;
  unsigned rank_;
};

Result square(const std::string& input) {
  const int number = std::stoi(input);
  return {std::to_string(number * number), true};
}

std::vector<Unit> numbers(int count) {
  std::vector<Unit> units;
  for (int i = 0; i < count; ++i) units.push_back({"n" + std::to_string(i), std::to_string(i)});
  return units;
}

/// The results of the units, in the order in which they are taken.
std::vector<std::string> in_order(Team& team, ResultJournal& parts, int count,
                                  const Compute& compute) {
  std::vector<std::string> results;
  InOrder units(numbers(count), parts, [&](std::size_t index, const std::string& text) {
    EXPECT_EQ(index, results.size());
    results.push_back(text);
  });
  team.lead(units.plan(), parts, compute);
  return results;
}

/// Runs `lead` as rank 0 beside other ranks that compute as they are told to.
template <class Lead>
void with_ranks(unsigned count, const Compute& compute, Lead lead,
                const Identity& of_the_last = kIdentity) {
  Post post;
  post.boxes.resize(count);
  std::vector<std::jthread> others;
  for (unsigned rank = 1; rank < count; ++rank) {
    others.emplace_back([&, rank] {
      Threads messages(post, rank);
      Team team(messages, 2, rank + 1 == count ? of_the_last : kIdentity);
      team.follow(compute);
      part(messages);
    });
  }
  Threads messages(post, 0);
  try {
    lead(messages);
  } catch (...) {
    part(messages);
    throw;
  }
  part(messages);
}

const std::vector<std::string> kSquares = {"0",  "1",  "4",  "9",   "16",  "25",  "36",
                                           "49", "64", "81", "100", "121", "144", "169"};

TEST(Team, OfOneProcessComputesEveryUnit) {
  for (const unsigned threads : {1U, 3U}) {
    Alone alone;
    Team team(alone, threads, kIdentity);
    ResultJournal none;
    EXPECT_TRUE(team.leads());
    EXPECT_EQ(team.ranks(), 1U);
    EXPECT_EQ(team.threads(), threads);
    EXPECT_EQ(Team(alone, threads, kIdentity, 4).threads(), 4 * threads) << "4 work in a unit";
    EXPECT_EQ(in_order(team, none, 14, square), kSquares);
    EXPECT_EQ(in_order(team, none, 0, square), std::vector<std::string>{});
  }
}

TEST(Team, OfRanksGivesTheSame) {
  for (const unsigned ranks : {2U, 3U, 5U}) {
    std::mutex guard;
    std::map<std::thread::id, int> computed;
    const Compute counted = [&](const std::string& input) {
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
      const std::lock_guard lock(guard);
      ++computed[std::this_thread::get_id()];
      return square(input);
    };
    with_ranks(ranks, counted, [&](Messages& messages) {
      Team team(messages, 1, kIdentity);
      EXPECT_EQ(team.ranks(), ranks);
      EXPECT_EQ(team.threads(), 1 + 2 * (ranks - 1));
      EXPECT_FALSE(team.processors().empty());
      EXPECT_EQ(team.processors().find(';'), std::string::npos) << "each once";
      ResultJournal none;
      EXPECT_EQ(in_order(team, none, 14, counted), kSquares);
      EXPECT_EQ(in_order(team, none, 14, counted), kSquares) << "another plan of the same team";
    });
    EXPECT_GT(computed.size(), 1U) << "the others have computed too";
  }
}

TEST(Team, UnitsMayDependOnResults) {
  with_ranks(3, square, [](Messages& messages) {
    Team team(messages, 1, kIdentity);
    // 2, and the square of whatever came of the last, three times.
    std::optional<std::string> known = "2";
    std::vector<std::string> taken;
    const Plan plan = {.next = [&]() -> std::optional<Unit> {
                         if (!known || taken.size() == 3) return {};
                         const std::string input = *known;
                         known.reset();
                         return Unit{"of " + input, input};
                       },
                       .take =
                           [&](const Unit&, const std::string& text) {
                             taken.push_back(text);
                             known = text;
                           }};
    ResultJournal none;
    team.lead(plan, none, square);
    EXPECT_EQ(taken, (std::vector<std::string>{"4", "16", "256"}));
  });
}

TEST(Team, WhatIsKeptIsNotComputedAgain) {
  const test::TemporaryFolder folder;
  std::atomic<int> computed{0};
  const Compute counted = [&](const std::string& input) {
    if (++computed == 6) throw std::runtime_error("enough");
    Result result = square(input);
    result.is_kept = input != "1";
    return result;
  };
  Alone alone;
  Team team(alone, 1, kIdentity);
  {
    ResultJournal parts(folder / "x", kIdentity, false);
    EXPECT_THROW(in_order(team, parts, 14, counted), std::runtime_error);
  }
  computed = 10;
  ResultJournal parts(folder / "x", kIdentity, true);
  EXPECT_EQ(parts.units(), (std::vector<std::string>{"n0", "n2", "n3", "n4"}));
  EXPECT_EQ(in_order(team, parts, 14, counted), kSquares);
  EXPECT_EQ(computed, 10 + 10);
}

TEST(Team, ARankOfAnotherRunIsRefused) {
  Identity other = kIdentity;
  other["commit"] = "def";
  EXPECT_BAD_INPUT(with_ranks(
                       3, square, [](Messages& messages) { Team(messages, 1, kIdentity); }, other),
                   {.kind = BadInputKind::inconsistent,
                    .where = "rank 2: commit",
                    .expected = "'abc'",
                    .found = "'def'"});
}

TEST(Team, WhatEndsAUnitEndsTheRun) {
  const auto at_9 = [](auto error) {
    return [error](const std::string& input) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (input == "9") throw error;
      return square(input);
    };
  };
  // Rank 0 hands out all it can before it computes anything itself; its own fail as they are.
  const auto lead = [](const Compute& compute) {
    return [&compute](Messages& messages) {
      Team team(messages, 1, kIdentity);
      ResultJournal none;
      in_order(team, none, 14, compute);
    };
  };
  const Compute fails = at_9(std::runtime_error("no memory"));
  EXPECT_THROW(with_ranks(1, fails, lead(fails)), std::runtime_error);
  EXPECT_THROW(with_ranks(3, fails, lead(fails)), std::runtime_error);
  const Compute refuses = at_9(BadInput({.kind = BadInputKind::missing, .where = "weights"}));
  EXPECT_BAD_INPUT(with_ranks(1, refuses, lead(refuses)), {.kind = BadInputKind::missing});
  EXPECT_THROW(with_ranks(3, refuses, lead(refuses)), BadInput);
}

TEST(Team, ARankThatIsRefusedOrFailsSaysWhy) {
  for (const MessageKind kind : {MessageKind::refused, MessageKind::failed}) {
    Post post;
    post.boxes.resize(2);
    Threads other(post, 1);
    other.send(0, kind, "weights.safetensors: none");
    Threads messages(post, 0);
    if (kind == MessageKind::refused) {
      EXPECT_BAD_INPUT(
          Team(messages, 1, kIdentity),
          {.kind = BadInputKind::inconsistent, .where = "rank 1: weights.safetensors: none"});
    } else {
      EXPECT_THROW(Team(messages, 1, kIdentity), std::runtime_error);
    }
  }
}

TEST(Team, AMessageThatOnlyRank0SendsIsALogicErrorToRank0) {
  for (const MessageKind kind :
       {MessageKind::hello, MessageKind::task, MessageKind::stop, MessageKind::bye}) {
    Post post;
    post.boxes.resize(2);
    Threads other(post, 1);
    const Team follower(other, 1, kIdentity);
    other.send(0, kind);
    Threads messages(post, 0);
    Team team(messages, 1, kIdentity);
    ResultJournal none;
    EXPECT_THROW(in_order(team, none, 14, square), std::logic_error) << static_cast<int>(kind);
  }
}

TEST(Identity, GoesBothWaysAsText) {
  EXPECT_EQ(identity_from(to_text(kIdentity)), kIdentity);
  for (const char* const text : {"", "{}", "[]", R"({"x":{}})", R"({"attention_limits_run":1})",
                                 R"({"attention_limits_run":{"a":1}})"}) {
    EXPECT_FALSE(identity_from(text)) << text;
  }
  const Identity own = identity_of("square");
  EXPECT_EQ(own.at("command"), "square");
  EXPECT_EQ(own.at("program").size(), 64U);
  EXPECT_FALSE(own.at("version").empty());
  EXPECT_FALSE(difference(kIdentity, kIdentity));
}

}  // namespace

}  // namespace attn::units
