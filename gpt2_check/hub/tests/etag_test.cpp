#include "gpt2_check/hub/etag.hpp"

#include "gpt2_check/tests/support.hpp"
#include "theory/base/one_line.hpp"

namespace attn::hub {
namespace {

const std::string kGitId = "10c66461e4c109db5a2196bff4bb59be30396ed8";
const std::string kSha256 = "248dfc3911869ec493c76e65bf2fcf7f615828b0254c12b473182f0f81d3a707";

TEST(HashOfEtag, IsWhatIsInTheQuotes) {
  EXPECT_EQ(hash_of_etag("\"" + kGitId + "\"", "url"), kGitId);
  EXPECT_EQ(hash_of_etag("W/\"" + kSha256 + "\"", "url"), kSha256);
  EXPECT_EQ(hash_of_etag(kSha256, "url"), kSha256);
}

TEST(HashOfEtag, RefusesWhatCannotBeChecked) {
  for (const std::string& etag :
       {std::string(), kGitId + "0", kGitId.substr(1), "../" + kGitId, kGitId + "/" + kGitId,
        std::string(40, 'G'), "\"" + kGitId + "-gzip\""}) {
    EXPECT_BAD_INPUT(
        hash_of_etag(etag, "https://host/file"),
        {.kind = BadInputKind::malformed, .where = "https://host/file", .found = in_quotes(etag)});
  }
}

TEST(GitBlobId, IsWhatGitHashObjectPrints) {
  EXPECT_EQ(git_blob_id(""), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
  EXPECT_EQ(git_blob_id("hello\n"), "ce013625030ba8dba906f756967f9e9ca394464a");
}

class HashLike : public test::WithFolder {};

TEST_F(HashLike, IsOfTheKindThatTheEtagIs) {
  const auto file = write("file", "hello\n");
  EXPECT_EQ(hash_like(kGitId, file), "ce013625030ba8dba906f756967f9e9ca394464a");
  EXPECT_EQ(hash_like(kSha256, file),
            "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03");
}

}  // namespace
}  // namespace attn::hub
