// A library that a test loads into a program (LD_PRELOAD) to break what its verdicts rest on, in
// the way that ATTN_BREAK names: `rounding` or `subnormal` (on x86).
#include <cfenv>
#include <cstdlib>
#include <string_view>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

namespace {

bool breaks(std::string_view what) {
  const char* const asked = std::getenv("ATTN_BREAK");
  return asked != nullptr && asked == what;
}

[[gnu::constructor]] void break_floating_point() {
  if (breaks("rounding")) std::fesetround(FE_UPWARD);
#ifdef __SSE2__
  if (breaks("subnormal")) _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
#endif
}

}  // namespace
