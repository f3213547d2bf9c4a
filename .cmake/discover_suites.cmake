# cmake -DPROGRAM=file[,argument...] -DBUT=regex -DSLOW=regex -DBY_INSTANCE=bool -DLABELS=a,b -DTESTS=file
#   -P discover_suites.cmake
#
# Writes TESTS, which makes each suite of a GoogleTest program a test of ctest, but those that match BUT; with
# BY_INSTANCE all suites of an instance, "Instance/Suite", together. PROGRAM is what runs it: the file alone,
# or an emulator before it.
# A suite whose tests were all skipped is skipped; one that skips some of them fails: it belongs to BUT.
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
foreach(line IN LISTS suites)
  string(REGEX REPLACE "\n([^\n]+)\\..*" "\\1" suite "${line}")
  if(suite MATCHES "${BUT}")
    continue()
  endif()
  set(filter "${suite}.*")
  if(BY_INSTANCE)
    string(REGEX REPLACE "/.*" "" suite "${suite}")
    set(filter "${suite}/*")
  endif()
  if(suite IN_LIST done)
    continue()
  endif()
  list(APPEND done "${suite}")
  set(properties "LABELS \"${labels}\"")
  if(suite MATCHES "${SLOW}")
    # The dearest begin, so that the others fill up what is left.
    set(properties "LABELS \"${labels};slow\" COST 100")
  endif()
  string(APPEND tests
    "add_test([==[${suite}]==] ${command} [==[--gtest_filter=${filter}]==])\n"
    "set_tests_properties([==[${suite}]==] PROPERTIES ${properties} ${skipped} ${partly})\n")
endforeach()
if(NOT tests)
  message(FATAL_ERROR "${PROGRAM} lists no suite")
endif()
file(WRITE ${TESTS} "${tests}")
