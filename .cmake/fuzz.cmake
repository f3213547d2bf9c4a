# attn_add_fuzz(NAME LIBRARY...): NAME_fuzz, a target of libFuzzer made of NAME_fuzz.cpp, which the
# target `fuzz` builds with the others. `.ci/fuzz` runs them.
add_custom_target(fuzz)
function(attn_add_fuzz name)
  add_executable(${name}_fuzz ${name}_fuzz.cpp)
  target_link_libraries(${name}_fuzz PRIVATE ${ARGN})
  target_link_options(${name}_fuzz PRIVATE -fsanitize=fuzzer)
  add_dependencies(fuzz ${name}_fuzz)
endfunction()
