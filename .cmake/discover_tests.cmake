include(GoogleTest)

# attn_discover_tests(TARGET [argument...] [TEST_LIST name] LABELS label... [SLOW regex])
#
# gtest_discover_tests(TARGET argument...) that sets every label; CMake 3.25 itself keeps only the
# first of a list. Tests whose name matches SLOW are labelled slow too: those of about a second and
# more.
function(attn_discover_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SLOW;TEST_LIST" "LABELS")
  if(NOT arg_TEST_LIST)
    set(arg_TEST_LIST ${target}_TESTS)
  endif()
  if(NOT arg_SLOW)
    set(arg_SLOW "^$")
  endif()
  gtest_discover_tests(${target} DISCOVERY_TIMEOUT 120 TEST_LIST ${arg_TEST_LIST}
    ${arg_UNPARSED_ARGUMENTS})
  # ctest reads the included files in their order: the tests first, then their labels.
  set(labels ${CMAKE_CURRENT_BINARY_DIR}/${arg_TEST_LIST}_labels.cmake)
  configure_file(${PROJECT_SOURCE_DIR}/.cmake/test_labels.cmake.in ${labels} @ONLY)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${labels})
endfunction()
