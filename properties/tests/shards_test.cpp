// A search cut into shards and merged is the search.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "properties/search/shard.hpp"
#include "reports/io/merge.hpp"
#include "reports/io/report_json.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/tests/temporary_folder.hpp"

namespace attn::properties {

namespace {

TEST(Shards, HaveEachClaimOnce) {
  const auto size = static_cast<unsigned>(catalogue().size());
  for (const unsigned count : {1U, 2U, 5U, size, size + 3}) {
    std::map<std::string_view, unsigned> times;
    std::size_t largest = 0, smallest = size;
    for (unsigned index = 1; index <= count; ++index) {
      const std::vector<Claim> claims = claims_of({index, count}, catalogue());
      largest = std::max(largest, claims.size());
      smallest = std::min(smallest, claims.size());
      for (const Claim& claim : claims) ++times[claim.id];
    }
    EXPECT_LE(largest - smallest, 1U) << count;
    EXPECT_EQ(times.size(), size) << count;
    for (const auto& [claim, found] : times) EXPECT_EQ(found, 1U) << claim;
  }
}

TEST(Shards, AreReadAsKOfN) {
  EXPECT_EQ(shard_from("2/3").index, 2U);
  EXPECT_EQ(shard_from("2/3").count, 3U);
  EXPECT_EQ(shard_from("1000/1000").index, kMostShards);
  for (const char* const text : {"", "/", "2", "2/", "/3", "0/3", "4/3", "1/1001", "1/4294967297",
                                 "-1/3", "1/3 ", "1.0/3", "1/3/3"}) {
    EXPECT_THROW(shard_from(text), BadInput) << text;
  }
}

/// The report that `properties --effort quick` writes with these arguments.
report::Report searched(const std::string& arguments, const std::filesystem::path& out) {
  const std::string command = fmt::format("{} --effort quick --seed 9 {} --out {} >/dev/null",
                                          ATTN_PROPERTIES_BINARY, arguments, out.string());
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 0) << command;
  return report::read_part(out);
}

std::string lasting(report::Report report) {
  report.provenance.started.clear();
  report.provenance.seconds = 0;
  report.provenance.threads = 0;
  return report::report_text(report);
}

TEST(Shards, MergedAreTheWholeSearch) {
  const attn::test::TemporaryFolder folder;
  const report::Report whole = searched("", folder / "whole.json");
  std::vector<report::Report> shards;
  for (unsigned index = 1; index <= 3; ++index) {
    shards.push_back(
        searched(fmt::format("--shard {}/3", index), folder / fmt::format("{}.json", index)));
  }
  EXPECT_EQ(lasting(report::merge({shards[2], shards[0], shards[1]})), lasting(whole));
}

}  // namespace

}  // namespace attn::properties
