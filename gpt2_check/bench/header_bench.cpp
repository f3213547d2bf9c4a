// What it costs to open a safetensors file with many tensors: the column of_a_tenth is about 10
// where ten times as many take ten times as long.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "gpt2_check/checkpoint/safetensors.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/bench/tenfold.hpp"
#include "theory/tests/temporary_folder.hpp"

namespace attn {
namespace {

/// A file of so many tensors of one number.
void write_tensors(const std::filesystem::path& file, std::size_t count) {
  std::string header = "{";
  for (std::size_t i = 0; i < count; ++i) {
    header += fmt::format(R"({}"t.{}": {{"dtype": "F32", "shape": [1], "data_offsets": [{}, {}]}})",
                          i == 0 ? "" : ",", i, 4 * i, 4 * i + 4);
  }
  header += "}";
  std::string bytes(8, '\0');
  for (std::size_t i = 0, rest = header.size(); i < bytes.size(); ++i, rest >>= 8) {
    bytes[i] = static_cast<char>(rest & 0xFF);
  }
  write_file(file, bytes + header + std::string(4 * count, '\0'));
}

void open_file_of_tensors(benchmark::State& state) {
  compare_with_a_tenth(state, [](std::size_t count) {
    auto folder = std::make_shared<test::TemporaryFolder>();
    write_tensors(*folder / "file", count);
    return [folder] {
      benchmark::DoNotOptimize(safetensors::File(*folder / "file").entries().size());
    };
  });
}
BENCHMARK(open_file_of_tensors)
    ->Arg(20'000)
    ->Arg(200'000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace attn

BENCHMARK_MAIN();
