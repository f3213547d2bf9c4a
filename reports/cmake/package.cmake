# The package attention_limits, with which another project adds the gate to its own tests: from the
# installed prefix, or from this build folder with attention_limits_DIR=<build folder>.
include(CMakePackageConfigHelpers)

set(data_folder share/attention_limits)
set(package_folder lib/cmake/attention_limits)

set(attn_programs claims properties report)
if(ATTN_GPT2)
  list(APPEND attn_programs gpt2_check)
endif()
install(TARGETS ${attn_programs} RUNTIME DESTINATION bin COMPONENT programs)
install(DIRECTORY gpt2_check/tiny/model DESTINATION ${data_folder}/tiny COMPONENT programs)
install(FILES gpt2_check/tiny/sample.txt DESTINATION ${data_folder}/tiny COMPONENT programs)
install(DIRECTORY gpt2_check/recordings DESTINATION ${data_folder} COMPONENT programs)
install(DIRECTORY properties/regressions DESTINATION ${data_folder} COMPONENT programs)
include(reports/cmake/manuals.cmake)

list(JOIN attn_programs " " attn_imported)

# attn_package_config(OUTPUT PREFIX FOLDER): the package file of a prefix, for a folder of it.
function(attn_package_config output prefix folder)
  configure_package_config_file(reports/cmake/attention_limitsConfig.cmake.in ${output}
    INSTALL_PREFIX ${prefix}
    INSTALL_DESTINATION ${folder}
    PATH_VARS programs sample
    NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
endfunction()

set(programs bin)
set(sample ${data_folder}/tiny/sample.txt)
set(installed_config ${PROJECT_BINARY_DIR}/installed/attention_limitsConfig.cmake)
attn_package_config(${installed_config} ${CMAKE_INSTALL_PREFIX} ${package_folder})

set(programs ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
set(sample ${PROJECT_SOURCE_DIR}/gpt2_check/tiny/sample.txt)
attn_package_config(${PROJECT_BINARY_DIR}/attention_limitsConfig.cmake ${PROJECT_BINARY_DIR} .)

set(version_file ${PROJECT_BINARY_DIR}/attention_limitsConfigVersion.cmake)
write_basic_package_version_file(${version_file} COMPATIBILITY SameMinorVersion)
configure_file(reports/cmake/attention_limits_add_gate.cmake
  ${PROJECT_BINARY_DIR}/attention_limits_add_gate.cmake COPYONLY)
install(FILES ${installed_config} ${version_file} reports/cmake/attention_limits_add_gate.cmake
  DESTINATION ${package_folder} COMPONENT engine)

# The libraries. engine: numbers, ladder, claims. recheck: the second implementation, which shares
# nothing with engine but the flags and the headers of theory/base. search: generators, properties,
# reports; it takes both.
set_target_properties(attn_theory PROPERTIES EXPORT_NAME engine)
set_target_properties(attn_recheck PROPERTIES EXPORT_NAME recheck)
set_target_properties(attn_properties_cli PROPERTIES EXPORT_NAME search)
install(TARGETS attn_options attn_bad_input attn_theory
  EXPORT attention_limits_engine ARCHIVE DESTINATION lib COMPONENT engine)
install(TARGETS attn_recheck
  EXPORT attention_limits_recheck ARCHIVE DESTINATION lib COMPONENT recheck)
install(TARGETS
  attn_build_info attn_claims_cli attn_command_line attn_digest attn_files attn_generators
  attn_listing attn_properties attn_properties_cli attn_reports attn_units
  EXPORT attention_limits_search ARCHIVE DESTINATION lib COMPONENT search)
foreach(component IN ITEMS engine recheck search)
  install(EXPORT attention_limits_${component}
    NAMESPACE attention_limits:: DESTINATION ${package_folder} COMPONENT ${component})
endforeach()
foreach(component IN ITEMS engine search)
  install(FILES .cmake/${component}_packages.cmake
    DESTINATION ${package_folder} RENAME attention_limits_${component}_packages.cmake
    COMPONENT ${component})
endforeach()

set(header_folder include/attention_limits)
install(DIRECTORY theory DESTINATION ${header_folder} COMPONENT engine
  FILES_MATCHING PATTERN *.hpp PATTERN tests EXCLUDE PATTERN recheck EXCLUDE)
install(DIRECTORY theory/recheck DESTINATION ${header_folder}/theory COMPONENT recheck
  FILES_MATCHING PATTERN *.hpp PATTERN tests EXCLUDE)
install(DIRECTORY properties reports DESTINATION ${header_folder} COMPONENT search
  FILES_MATCHING PATTERN *.hpp PATTERN tests EXCLUDE PATTERN bench EXCLUDE)
install(FILES theory/installed/claim.hpp DESTINATION ${header_folder} COMPONENT engine)
install(FILES theory/installed/recheck.hpp DESTINATION ${header_folder} COMPONENT recheck)
install(FILES properties/installed/gen.hpp properties/installed/search.hpp
  DESTINATION ${header_folder} COMPONENT search)

set(examples_folder share/doc/attention-limits-dev/examples)
install(DIRECTORY theory/example/ DESTINATION ${examples_folder}/decide_one COMPONENT engine)
install(DIRECTORY properties/example/ DESTINATION ${examples_folder}/own_claim COMPONENT search
  PATTERN run EXCLUDE)

include(reports/cmake/deb.cmake)
