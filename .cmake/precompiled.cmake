# Headers of libraries that take seconds to read and that many files include, read once. No header
# of the project is among them. With CMAKE_DISABLE_PRECOMPILE_HEADERS=ON, as in the preset debug,
# every file sees only what it includes itself.

# ccache takes a precompiled header by its content where it is told to, and the compiler names it.
if(CCACHE_PROGRAM AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros
    ${CCACHE_PROGRAM})
  add_compile_options(-fpch-preprocess)
elseif(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

# GCC collects its garbage after little growth, which takes a twentieth of the time here.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options($<$<CONFIG:Release>:--param=ggc-min-expand=10000>)
endif()

# attn_little_optimised(TARGET...): what is much to compile and nothing to wait for when it runs
# takes half the time to compile with less optimisation. Arithmetic is done elsewhere.
function(attn_little_optimised)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og>)
  endforeach()
endfunction()

# attn_precompiled_set(SET [LITTLE_OPTIMISED] HEADERS header... LIBRARIES library...)
function(attn_precompiled_set set)
  cmake_parse_arguments(PARSE_ARGV 1 arg "LITTLE_OPTIMISED" "" "HEADERS;LIBRARIES")
  add_library(attn_precompiled_${set} OBJECT ${PROJECT_SOURCE_DIR}/.cmake/precompiled.cpp)
  target_precompile_headers(attn_precompiled_${set} PRIVATE ${arg_HEADERS})
  target_include_directories(attn_precompiled_${set} SYSTEM PRIVATE ${MPFI_INCLUDE_DIR})
  target_link_libraries(attn_precompiled_${set} PRIVATE attn_options ${arg_LIBRARIES})
  set_target_properties(attn_precompiled_${set}
    PROPERTIES ATTN_LITTLE_OPTIMISED ${arg_LITTLE_OPTIMISED})
  if(arg_LITTLE_OPTIMISED)
    attn_little_optimised(attn_precompiled_${set})
  endif()
endfunction()

# attn_precompiled(SET TARGET...): the targets are compiled with a set, and so with the definitions
# and the optimisation that it was read with.
function(attn_precompiled set)
  get_target_property(little attn_precompiled_${set} ATTN_LITTLE_OPTIMISED)
  if(little)
    attn_little_optimised(${ARGN})
  endif()
  foreach(target IN LISTS ARGN)
    target_precompile_headers(${target} REUSE_FROM attn_precompiled_${set})
    target_compile_definitions(${target} PRIVATE
      $<TARGET_PROPERTY:attn_precompiled_${set},COMPILE_DEFINITIONS>)
  endforeach()
endfunction()

set(standard_headers
  <algorithm> <filesystem> <fstream> <functional> <map> <set> <span> <string> <vector>)
# Not CLI11's, which has objects of its own: every file that sees them makes them.
set(text_headers ${standard_headers} <fmt/format.h> <nlohmann/json.hpp>)
set(json_headers ${text_headers} <boost/multiprecision/gmp.hpp>)
# Only for what links MPFR: its header frees MPFR's caches at the end of every program.
set(numbers_headers ${standard_headers} <fmt/format.h> <Eigen/Core>
  <boost/multiprecision/gmp.hpp> <boost/multiprecision/mpfi.hpp> <boost/multiprecision/mpfr.hpp>)
set(json_libraries Boost::headers fmt::fmt nlohmann_json::nlohmann_json)
set(numbers_libraries fmt::fmt Boost::headers Eigen3::Eigen)

attn_precompiled_set(json LITTLE_OPTIMISED HEADERS ${json_headers} LIBRARIES ${json_libraries})
attn_precompiled_set(json_tests LITTLE_OPTIMISED
  HEADERS ${json_headers} <gmock/gmock.h> LIBRARIES ${json_libraries} GTest::gmock)
attn_precompiled_set(numbers HEADERS ${numbers_headers} LIBRARIES ${numbers_libraries})
attn_precompiled_set(numbers_tests LITTLE_OPTIMISED
  HEADERS ${numbers_headers} <gmock/gmock.h> LIBRARIES ${numbers_libraries} GTest::gmock)
# Of the second implementation, which reads nothing that the first one is made of.
attn_precompiled_set(recheck LITTLE_OPTIMISED
  HEADERS ${text_headers} <gmpxx.h> ${arb_header}
  LIBRARIES fmt::fmt nlohmann_json::nlohmann_json)
