// What the command line of a gate asks of a report.
#include <cstdint>
#include <string>

#include "reports/compare/gate.hpp"
#include "theory/base/bad_input.hpp"

namespace {

template <class Read>
void attempt(const Read& read, const std::string& word) {
  try {
    read(word);
  } catch (const attn::BadInput&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string word(data, data + size);
  attempt(attn::report::stage_from, word);
  attempt(attn::report::required_outcome_from, word);
  attempt(attn::report::tightness_limit_from, word);
  return 0;
}
