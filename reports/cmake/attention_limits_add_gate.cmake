# attention_limits_add_gate(NAME <name>
#   (ACTIVATIONS <file> | MODEL <folder|name> TEXT <file>)
#   [ROWS all|last|stride:<k>] [SEED <s>] [THREADS <t>] [OUT <folder>]
#   [BASELINE <report.json>] [MAX_UNDECIDED <n>] [REQUIRE_STAGE <stage>...] [CAUGHT_ON_ROWS]
#   [ALLOW_MISMATCH])
#
# Adds three tests, labelled attention_limits:
#   <name>.measure  gpt2_check run: decides the claims on every row of every head
#   <name>.report   report render: index.html and report.md beside report.json
#   <name>.gate     report gate, with the conditions given: passes where every verdict is as
#                   expected
# The last two run after the first, a fixture, and not where it fails. Give <name>.measure a
# FIXTURES_REQUIRED or a DEPENDS where a test of yours writes the activations.
#
# Relative paths are those of the calling CMakeLists.txt; files need not exist yet, but
# the folder of a MODEL must. OUT is
# ${CMAKE_CURRENT_BINARY_DIR}/<name> where it is not given.
function(attention_limits_add_gate)
  set(input_flags ROWS SEED THREADS)
  set(gate_flags BASELINE MAX_UNDECIDED)
  set(repeated_flags REQUIRE_STAGE)
  cmake_parse_arguments(PARSE_ARGV 0 arg "CAUGHT_ON_ROWS;ALLOW_MISMATCH"
    "NAME;ACTIVATIONS;MODEL;TEXT;OUT;${input_flags};${gate_flags}" "${repeated_flags}")
  _attention_limits_check_gate()

  foreach(path IN ITEMS ACTIVATIONS TEXT BASELINE)
    if(DEFINED arg_${path})
      cmake_path(ABSOLUTE_PATH arg_${path} BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    endif()
  endforeach()
  if(DEFINED arg_MODEL AND IS_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/${arg_MODEL}")
    cmake_path(ABSOLUTE_PATH arg_MODEL BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  endif()
  if(NOT DEFINED arg_OUT)
    set(arg_OUT "${arg_NAME}")
  endif()
  cmake_path(ABSOLUTE_PATH arg_OUT BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE)

  set(run --out "${arg_OUT}")
  foreach(flag IN ITEMS ACTIVATIONS MODEL TEXT ${input_flags})
    _attention_limits_append(run ${flag} "${arg_${flag}}")
  endforeach()
  set(conditions "")
  foreach(flag IN LISTS gate_flags repeated_flags)
    foreach(value IN LISTS arg_${flag})
      _attention_limits_append(conditions ${flag} "${value}")
    endforeach()
  endforeach()

  if(arg_CAUGHT_ON_ROWS)
    list(APPEND conditions --caught-on-rows)
  endif()
  if(arg_ALLOW_MISMATCH)
    list(APPEND conditions --allow-mismatch)
  endif()

  # What its verdicts mean is the gate's to say: a run that ends with 1 or 3 has measured.
  add_test(NAME ${arg_NAME}.measure COMMAND
    sh -c "\"$@\"; code=$?; case $code in 1 | 3) exit 0 ;; esac; exit $code" sh
    $<TARGET_FILE:attention_limits::gpt2_check> run ${run})
  add_test(NAME ${arg_NAME}.report COMMAND
    attention_limits::report render "${arg_OUT}/report.json" --out "${arg_OUT}")
  add_test(NAME ${arg_NAME}.gate COMMAND
    attention_limits::report gate "${arg_OUT}/report.json" ${conditions})
  set_tests_properties(${arg_NAME}.measure PROPERTIES FIXTURES_SETUP ${arg_NAME}.measured)
  set_tests_properties(${arg_NAME}.report ${arg_NAME}.gate PROPERTIES
    FIXTURES_REQUIRED ${arg_NAME}.measured)
  set_tests_properties(${arg_NAME}.measure ${arg_NAME}.report ${arg_NAME}.gate PROPERTIES
    LABELS attention_limits)
endfunction()

# Appends --flag value, the flag as the programs spell it, where there is a value.
macro(_attention_limits_append list flag value)
  if(NOT "${value}" STREQUAL "")
    string(TOLOWER "--${flag}" _spelled)
    string(REPLACE "_" "-" _spelled "${_spelled}")
    list(APPEND ${list} "${_spelled}" "${value}")
  endif()
endmacro()

# Ends the configuration with one line unless the arguments, parsed as arg_*, can be used.
macro(_attention_limits_check_gate)
  set(_problem "")
  if(NOT TARGET attention_limits::gpt2_check)
    set(_problem "this package was built without gpt2_check (ATTN_GPT2=OFF)")
  elseif(arg_UNPARSED_ARGUMENTS)
    set(_problem "unknown argument '${arg_UNPARSED_ARGUMENTS}'")
  elseif(arg_KEYWORDS_MISSING_VALUES)
    set(_problem "no value after ${arg_KEYWORDS_MISSING_VALUES}")
  elseif(NOT "${arg_NAME}" MATCHES "^[A-Za-z0-9_.-]+$")
    set(_problem "NAME '${arg_NAME}': expected letters, digits, '_', '.' or '-'")
  elseif(DEFINED arg_ACTIVATIONS AND (DEFINED arg_MODEL OR DEFINED arg_TEXT))
    set(_problem "ACTIVATIONS takes the place of MODEL and TEXT: give one or the other")
  elseif(NOT DEFINED arg_ACTIVATIONS AND NOT (DEFINED arg_MODEL AND DEFINED arg_TEXT))
    set(_problem "expected ACTIVATIONS, or MODEL and TEXT")
  elseif(DEFINED arg_ROWS AND NOT "${arg_ROWS}" MATCHES "^(all|last|stride:[1-9][0-9]*)$")
    set(_problem "ROWS '${arg_ROWS}': expected all, last or stride:<k>")
  else()
    foreach(_count IN ITEMS SEED THREADS MAX_UNDECIDED)
      if(DEFINED arg_${_count} AND NOT "${arg_${_count}}" MATCHES "^[0-9]+$")
        set(_problem "${_count} '${arg_${_count}}': expected a whole number")
      endif()
    endforeach()
  endif()
  if(NOT _problem STREQUAL "")
    message(FATAL_ERROR "attention_limits_add_gate: ${_problem}")
  endif()
endmacro()
