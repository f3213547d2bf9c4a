# cmake -DPROGRAM=file[,argument...] -DBUT=regex -DSLOW=regex -DTOGETHER=name -DLABELS=a,b
#   -DTESTS=file -P discover_suites.cmake
#
# Writes TESTS, which makes each suite of a GoogleTest program a test of ctest, but those that match
# BUT; with TOGETHER those that do not match SLOW are one test of that name. PROGRAM is what runs
# it: the file alone, or an emulator before it. A suite whose tests were all skipped is skipped; one
# that skips some of them fails: it belongs to BUT.
cmake_minimum_required(VERSION 3.25)

string(REPLACE "," ";" program "${PROGRAM}")
execute_process(COMMAND ${program} --gtest_list_tests
  OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\n[^ \n]+\\.(\n|  #)" suites "${listed}")
string(REPLACE "," ";" labels "${LABELS}")
list(TRANSFORM program REPLACE ".+" "[==[\\0]==]" OUTPUT_VARIABLE command)
list(JOIN command " " command)
set(tests "")
# The end of what a program prints that failed nothing and passed nothing.
set(skipped "SKIP_REGULAR_EXPRESSION [==[PASSED  \\] 0 tests\\.\n(\\[  SKIPPED \\][^\n]*\n)+$]==]")
set(partly "FAIL_REGULAR_EXPRESSION [==[PASSED  \\] [1-9][0-9]* tests?\\.\n\\[  SKIPPED]==]")

function(add name filter is_slow)
  set(properties "LABELS \"${labels}\"")
  if(is_slow)
    # The dearest begin, so that the others fill up what is left.
    set(properties "LABELS \"${labels};slow\" COST 100")
  endif()
  string(APPEND tests
    "add_test([==[${name}]==] ${command} [==[--gtest_filter=${filter}]==])\n"
    "set_tests_properties([==[${name}]==] PROPERTIES ${properties} ${skipped} ${partly})\n")
  set(tests "${tests}" PARENT_SCOPE)
endfunction()

set(together "")
foreach(line IN LISTS suites)
  string(REGEX REPLACE "\n([^\n]+)\\..*" "\\1" suite "${line}")
  if(suite MATCHES "${BUT}")
    continue()
  endif()
  if(suite MATCHES "${SLOW}")
    add("${suite}" "${suite}.*" TRUE)
  elseif(TOGETHER)
    string(APPEND together "${suite}.*:")
  else()
    add("${suite}" "${suite}.*" FALSE)
  endif()
endforeach()
if(together)
  add("${TOGETHER}" "${together}" FALSE)
endif()
if(NOT tests)
  message(FATAL_ERROR "${PROGRAM} lists no suite")
endif()
file(WRITE ${TESTS} "${tests}")
