#include "gpt2_check/checkpoint/safetensors.hpp"

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "gpt2_check/tests/support.hpp"
#include "gpt2_check/tests/write_tensors.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::safetensors {
namespace {

using ::testing::ElementsAre;
using enum BadInputKind;

std::string little_endian(std::uint64_t value) {
  std::string bytes(8, '\0');
  for (char& byte : bytes) {
    byte = static_cast<char>(value & 0xff);
    value >>= 8;
  }
  return bytes;
}

std::string file_bytes(const std::string& header, const std::string& data = "") {
  return little_endian(header.size()) + header + data;
}

class Safetensors : public test::WithFolder {
 protected:
  void expect_refused(const std::string& bytes, BadInputParts parts) const {
    const auto path = write("x.safetensors", bytes);
    parts.where = "x.safetensors" + parts.where;
    EXPECT_BAD_INPUT(File{path}, parts);
  }

  void expect_header_refused(const std::string& header, const BadInputParts& parts) const {
    expect_refused(file_bytes(header, std::string(8, '\0')), parts);
  }
};

TEST_F(Safetensors, ReadsLiteralBytes) {
  const auto path = write(
      "x.safetensors",
      file_bytes(R"({"__metadata__":{"format":"pt"},"b":{"dtype":"I16","shape":[1,2],)"
                 R"("data_offsets":[4,8]},"a":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}  )",
                 std::string("\x00\x00\xc0\x3f\x01\x00\xff\xff", 8)));
  const File file(path);
  EXPECT_EQ(file.entries().size(), 2U);
  EXPECT_EQ(file.metadata("format"), "pt");
  EXPECT_EQ(file.read("a").item<float>(), 1.5F);
  EXPECT_THAT(file.entry("b").shape, ElementsAre(1, 2));
  const at::Tensor b = file.read("b");
  EXPECT_EQ(b[0][0].item<int>(), 1);
  EXPECT_EQ(b[0][1].item<int>(), -1);
}

TEST_F(Safetensors, ReadsHalfFormatsExactly) {
  const auto path =
      write("x.safetensors", file_bytes(R"({"h":{"dtype":"F16","shape":[2],"data_offsets":[0,4]},)"
                                        R"("b":{"dtype":"BF16","shape":[1],"data_offsets":[4,6]}})",
                                        std::string("\x01\x3c\xff\x7b\x81\x3f", 6)));
  const File file(path);
  const at::Tensor half = file.read("h").to(at::kDouble);
  EXPECT_EQ(half[0].item<double>(), 1.0 + 0x1p-10);
  EXPECT_EQ(half[1].item<double>(), 65504.0);
  EXPECT_EQ(file.read("b").to(at::kDouble)[0].item<double>(), 1.0 + 0x1p-7);
}

TEST_F(Safetensors, AcceptsNoTensorsAndEmptyTensors) {
  EXPECT_TRUE(File(write("none", file_bytes("{}"))).entries().empty());
  const File file(
      write("empty", file_bytes(R"({"a":{"dtype":"F64","shape":[0,3],"data_offsets":[0,0]}})")));
  EXPECT_EQ(file.read("a").sizes(), at::IntArrayRef({0, 3}));
}

TEST_F(Safetensors, RoundTripsEveryDtype) {
  std::map<std::string, at::Tensor> tensors;
  for (const auto type : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16, at::kLong, at::kInt,
                          at::kShort, at::kChar, at::kByte}) {
    tensors[c10::toString(type)] = at::arange(6, at::kDouble).reshape({2, 3}).to(type);
  }
  tensors["scalar"] = at::scalar_tensor(0.1, at::kDouble);
  tensors["transposed"] = at::arange(6, at::kFloat).reshape({2, 3}).t();
  safetensors::write(folder / "out.safetensors", tensors, {{"made_by", "a test"}});
  const File file(folder / "out.safetensors");
  EXPECT_EQ(file.metadata("made_by"), "a test");
  ASSERT_EQ(file.entries().size(), tensors.size());
  for (const auto& [name, tensor] : tensors) {
    EXPECT_EQ(file.entry(name).dtype, tensor.scalar_type()) << name;
    EXPECT_TRUE(at::equal(file.read(name), tensor)) << name;
  }
}

TEST_F(Safetensors, AlignsTheData) {
  for (const char* name : {"a", "ab", "abc"}) {
    safetensors::write(folder / "x", {{name, at::ones({1})}});
    const std::string bytes = read_file(folder / "x");
    EXPECT_EQ((bytes.size() - 4) % 8, 0U) << name;
    EXPECT_EQ(File(folder / "x").read(name).item<float>(), 1.0F);
  }
}

TEST_F(Safetensors, WritesNothingWithoutCommit) {
  {
    Writer writer(folder / "x", {{"a", at::kFloat, {2}}, {"b", at::kFloat, {2}}});
    writer.append("a", at::ones({2}));
    EXPECT_THROW(writer.append("a", at::ones({2})), std::invalid_argument);
    EXPECT_THROW(writer.append("b", at::ones({3})), std::invalid_argument);
    EXPECT_THROW(writer.append("b", at::ones({2}, at::kDouble)), std::invalid_argument);
    EXPECT_THROW(writer.commit(), std::logic_error);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST_F(Safetensors, RefusesToWriteIntoAFolderThatIsNotThere) {
  EXPECT_BAD_INPUT(safetensors::write(folder / "no" / "x", {{"a", at::ones({1})}}),
                   {.kind = unwritable, .found = (folder / "no").string()});
}

TEST_F(Safetensors, RefusesAMissingFileAndAFolder) {
  EXPECT_BAD_INPUT(File{folder / "none"}, {.kind = missing, .where = (folder / "none").string()});
  EXPECT_BAD_INPUT(File{folder}, {.kind = malformed, .expected = "a regular file"});
}

TEST_F(Safetensors, RefusesFilesThatAreTooShort) {
  expect_refused("", {.kind = malformed, .expected = "at least 8 bytes", .found = "0"});
  expect_refused("1234567", {.kind = malformed, .expected = "at least 8 bytes", .found = "7"});
  expect_refused(little_endian(3) + "{}", {.kind = inconsistent,
                                           .where = ": header",
                                           .expected = "3 bytes",
                                           .found = "2",
                                           .advice = "cut short"});
}

TEST_F(Safetensors, RefusesHostileHeaderLengths) {
  for (const std::uint64_t length :
       {std::uint64_t{1} << 63, ~std::uint64_t{0}, ~std::uint64_t{7}, std::uint64_t{100'000'001}}) {
    expect_refused(little_endian(length) + "{}",
                   {.kind = too_large,
                    .where = ": header",
                    .expected = "the format's limit",
                    .found = "a length of " + std::to_string(length)});
  }
  expect_refused(little_endian(100'000'000) + "{}",
                 {.kind = inconsistent, .where = ": header", .advice = "cut short"});
}

TEST_F(Safetensors, RefusesHeadersThatAreNotJsonObjects) {
  for (const char* header : {"", " {}", "[]"}) {
    expect_refused(file_bytes(header),
                   {.kind = malformed, .where = ": header", .expected = "'{' at its beginning"});
  }
  for (const char* header : {"{", "{} {}", "{\"\xff\":1}"}) {
    expect_refused(file_bytes(header),
                   {.kind = malformed, .where = ": header", .found = "not JSON at byte"});
  }
  expect_refused(file_bytes(R"({"a":1e999})"),
                 {.kind = out_of_range, .where = ": header: at /a", .found = "'1e999'"});
}

TEST_F(Safetensors, RefusesDeepNesting) {
  std::string header = R"({"a":)" + std::string(1'000'000, '[');
  expect_refused(file_bytes(header),
                 {.kind = malformed, .where = ": header", .found = "nested deeper"});
}

/// A header of one tensor.
std::string of_a(std::string_view fields) {
  return fmt::format(R"({{"a":{{{}}}}})", fields);
}

std::string of_f32(std::string_view shape, std::string_view offsets) {
  return of_a(fmt::format(R"("dtype":"F32","shape":{},"data_offsets":{})", shape, offsets));
}

TEST_F(Safetensors, RefusesTensorsOfAnotherForm) {
  const auto refused = [&](const std::string& header, BadInputKind kind, std::string expected,
                           std::string found = "") {
    expect_header_refused(header, {.kind = kind,
                                   .where = ": tensor 'a'",
                                   .expected = std::move(expected),
                                   .found = std::move(found)});
  };
  refused(R"({"a":1})", malformed, "an object");
  refused(of_a(R"("shape":[2],"data_offsets":[0,8])"), missing, "a field dtype");
  refused(of_a(R"("dtype":"F32","data_offsets":[0,8])"), missing, "a field shape");
  refused(of_a(R"("dtype":"F32","shape":[2])"), missing, "a field data_offsets");
  refused(of_a(R"("dtype":"F32","shape":[2],"data_offsets":[0,8],"extra":0)"), unknown_name, "",
          "'extra'");
  refused(of_a(R"("dtype":32,"shape":[2],"data_offsets":[0,8])"), malformed, "", "32");
  for (const char* shape : {"2", "[-2]", "[2.5]", "[\"2\"]", "[18446744073709551615]",
                            "[9223372036854775808]", "[18446744073709551616]", "[[2]]"}) {
    refused(of_f32(shape, "[0,8]"), malformed, "a shape that is a list");
  }
  for (const char* shape :
       {"[4294967296,4294967296]", "[9223372036854775807]", "[4294967296,4294967298,0]",
        "[9223372036854775807,9223372036854775807,9223372036854775807]"}) {
    refused(of_f32(shape, "[0,8]"), too_large, "less than 2^63 bytes", shortened(shape));
  }
  for (const char* offsets :
       {"8", "[0]", "[0,8,8]", "[-8,0]", "[0,8.5]", "[0,\"8\"]", "[0,18446744073709551616]"}) {
    refused(of_f32("[2]", offsets), malformed, "data_offsets that are two integers");
  }
  refused(of_f32("[2]", "[8,0]"), inconsistent, "end before they begin", "[8,0]");
  refused(of_f32("[3]", "[0,8]"), inconsistent, "12 bytes for shape [3] of F32",
          "data_offsets that hold 8");
  refused(of_f32("[2]", "[0,18446744073709551615]"), inconsistent, "",
          "data_offsets that hold 18446744073709551615");
  refused(of_f32("[1]", "[4,8]"), inconsistent, "begin at byte 0", "a hole: byte 4");
}

TEST_F(Safetensors, RefusesNamesAndMetadataOfAnotherForm) {
  const auto refused = [&](const std::string& header, BadInputKind kind, std::string where,
                           std::string expected, std::string found) {
    expect_header_refused(header, {.kind = kind,
                                   .where = std::move(where),
                                   .expected = std::move(expected),
                                   .found = std::move(found)});
  };
  const std::string a = R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  const char* const once = "every name of an object once";
  refused("{" + a + "," + a + "}", inconsistent, ": header", once, "'a' twice");
  refused(of_a(R"("dtype":"F32","dtype":"F32","shape":[2],"data_offsets":[0,8])"), inconsistent,
          ": header", once, "'dtype' twice");
  refused(R"({"__metadata__":[]})", malformed, ": __metadata__", "an object of strings", "");
  refused(R"({"__metadata__":{"n":1}})", malformed, ": __metadata__ 'n'", "a string", "1");
  // On one line, whatever the name holds.
  refused("{\"a\\nb\\u001b\":1}", malformed, ": tensor 'a\nb\x1b'", "", "");
}

TEST_F(Safetensors, ReadsWhatLiesBesideOtherTypes) {
  for (const char* type : {"U16", "U32", "U64", "F8_E4M3", "F8_E5M2", "C64", "F4"}) {
    const auto path = write(
        "x.safetensors", file_bytes(R"({"other":{"dtype":")" + std::string(type) +
                                        R"(","shape":[3],"data_offsets":[0,6]},)"
                                        R"("a":{"dtype":"U8","shape":[2],"data_offsets":[6,8]}})",
                                    std::string("\x01\x02\x03\x04\x05\x06\x07\x08", 8)));
    const File file(path);
    EXPECT_EQ(file.read("a")[1].item<int>(), 8) << type;
    EXPECT_BAD_INPUT(file.read("other"),
                     {.kind = unsupported, .where = "tensor 'other'", .found = type});
  }
}

TEST_F(Safetensors, NamesAGitLfsPointer) {
  expect_refused("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 12345\n",
                 {.kind = malformed, .found = "a Git LFS pointer", .advice = "git lfs pull"});
}

TEST_F(Safetensors, RefusesHolesAndOverlaps) {
  const auto of_two = [](const char* first, const char* second) {
    return fmt::format(R"({{"a":{{"dtype":"U8",{}}},"b":{{"dtype":"U8",{}}}}})", first, second);
  };
  for (const auto& [first, second, found] :
       {std::tuple{R"("shape":[2],"data_offsets":[0,2])", R"("shape":[5],"data_offsets":[3,8])",
                   "a hole: byte 3"},
        {R"("shape":[4],"data_offsets":[0,4])", R"("shape":[6],"data_offsets":[2,8])",
         "an overlap"},
        {R"("shape":[8],"data_offsets":[0,8])", R"("shape":[8],"data_offsets":[0,8])",
         "an overlap"}}) {
    expect_header_refused(of_two(first, second),
                          {.kind = inconsistent, .where = ": tensor 'b'", .found = found});
  }
}

TEST_F(Safetensors, RefusesATruncatedFileAndTrailingBytes) {
  const std::string header = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  expect_refused(file_bytes(header, std::string(7, '\0')),
                 {.kind = inconsistent,
                  .expected = "8 bytes of data, as the header promises",
                  .found = "7",
                  .advice = "cut short"});
  expect_refused(file_bytes(header, std::string(9, '\0')),
                 {.kind = inconsistent, .found = "1 more, after the last tensor"});
  // Nothing is allocated for a tensor that the file does not hold.
  expect_header_refused(
      R"({"a":{"dtype":"U8","shape":[1099511627776],"data_offsets":[0,1099511627776]}})",
      {.kind = inconsistent, .expected = "1099511627776 bytes of data", .found = "8"});
}

TEST_F(Safetensors, NamesAMissingTensor) {
  const File file(write("x", file_bytes("{}")));
  EXPECT_BAD_INPUT(file.read("wte.weight"), {.kind = missing, .where = "tensor 'wte.weight'"});
}

TEST_F(Safetensors, FindsNaNAndInfinitiesInEveryFloatingDtype) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const auto type : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16}) {
    for (const double value : {std::nan(""), infinity, -infinity}) {
      at::Tensor tensor = at::zeros({2, 3}, type);
      tensor[1][2] = value;
      safetensors::write(folder / "x", {{"w", tensor}});
      const File file(folder / "x");
      EXPECT_EQ(file.read("w").numel(), 6);
      EXPECT_BAD_INPUT(file.read_finite("w"), {.kind = out_of_range,
                                               .where = "tensor 'w'",
                                               .expected = "finite numbers",
                                               .found = "at [1, 2]"});
    }
    safetensors::write(folder / "x", {{"w", at::zeros({2}, type)}});
    EXPECT_EQ(File(folder / "x").read_finite("w").numel(), 2);
  }
}

}  // namespace
}  // namespace attn::safetensors
