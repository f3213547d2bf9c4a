include(GoogleTest)

# attn_discover_tests(TARGET [argument...] [SUITES suite...] [TEST_LIST name] LABELS label...
#   [SLOW regex])
#
# gtest_discover_tests(TARGET argument...) of the suites given (* stands for anything; default: all)
# that sets every label; CMake 3.25 itself keeps only the first of a list. Tests whose name matches
# SLOW are labelled slow too: those of about a second and more.
function(attn_discover_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SLOW;TEST_LIST" "LABELS;SUITES")
  if(NOT arg_TEST_LIST)
    set(arg_TEST_LIST ${target}_TESTS)
  endif()
  if(NOT arg_SLOW)
    set(arg_SLOW "^$")
  endif()
  if(arg_SUITES)
    list(JOIN arg_SUITES ".*:" filter)
    list(APPEND arg_UNPARSED_ARGUMENTS TEST_FILTER "${filter}.*")
  endif()
  gtest_discover_tests(${target} DISCOVERY_TIMEOUT 120 TEST_LIST ${arg_TEST_LIST}
    ${arg_UNPARSED_ARGUMENTS})
  # ctest reads the included files in their order: the tests first, then their labels.
  set(labels ${CMAKE_CURRENT_BINARY_DIR}/${arg_TEST_LIST}_labels.cmake)
  configure_file(${PROJECT_SOURCE_DIR}/.cmake/test_labels.cmake.in ${labels} @ONLY)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${labels})
endfunction()

# attn_discover_suites(TARGET [TOGETHER] [BUT suite...] [SLOW regex] LABELS label...)
#
# One test of ctest for each suite, for programs that take long to start; with TOGETHER one, named
# as the target, for all that do not match SLOW. BUT names suites (* stands for anything) that are
# left to attn_discover_tests: those with tests that can skip, which the others of the suite would
# hide.
function(attn_discover_suites target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TOGETHER" "SLOW" "BUT;LABELS")
  set(together "")
  if(arg_TOGETHER)
    set(together ${target})
  endif()
  if(NOT arg_SLOW)
    set(arg_SLOW "^$")
  endif()
  list(JOIN arg_BUT "|" but)
  string(REPLACE "*" ".*" but "${but}")
  list(JOIN arg_LABELS "," labels)
  # Empty but where what is built for another processor is emulated.
  list(APPEND program ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${target}>)
  list(JOIN program "," program)
  set(tests ${CMAKE_CURRENT_BINARY_DIR}/${target}_suites.cmake)
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=${program} "-DBUT=^(${but})$" -DSLOW=${arg_SLOW}
      -DTOGETHER=${together} -DLABELS=${labels} -DTESTS=${tests}
      -P ${PROJECT_SOURCE_DIR}/.cmake/discover_suites.cmake
    BYPRODUCTS ${tests} VERBATIM)
  # Until it is built, ctest names what is missing.
  set(include ${CMAKE_CURRENT_BINARY_DIR}/${target}_include_suites.cmake)
  file(WRITE ${include}
    "include([==[${tests}]==] OPTIONAL RESULT_VARIABLE found)\n"
    "if(NOT found)\n  add_test(${target}_NOT_BUILT ${target}_NOT_BUILT)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${include})
endfunction()
