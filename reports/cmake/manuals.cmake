# A manual page for each program and each of its subcommands, which the target `manuals` makes from
# their --help, and the completion of their flags for bash.
find_program(HELP2MAN help2man)

set(claims_subcommands list show eval certify recheck)
set(report_subcommands render gate diff case baseline schema merge)
set(gpt2_check_subcommands run activations tokenize init)

if(HELP2MAN AND NOT CMAKE_CROSSCOMPILING)
  foreach(program IN LISTS attn_programs)
    foreach(subcommand IN ITEMS "" ${${program}_subcommands})
      string(JOIN "-" page ${program} ${subcommand})
      set(file ${PROJECT_BINARY_DIR}/manuals/${page}.1)
      add_custom_command(OUTPUT ${file}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/manuals
        COMMAND ${HELP2MAN} --no-info --section=1 --version-string=${PROJECT_VERSION}
          --name "limits of softmax attention" "--help-option=${subcommand} --help" --output=${file}
          $<TARGET_FILE:${program}>
        DEPENDS ${program} VERBATIM)
      list(APPEND manuals ${file})
    endforeach()
  endforeach()
  add_custom_target(manuals DEPENDS ${manuals})
  install(FILES ${manuals} DESTINATION share/man/man1 COMPONENT programs OPTIONAL)
endif()

set(completions share/bash-completion/completions)
foreach(program IN LISTS attn_programs)
  install(FILES reports/cmake/completion.bash DESTINATION ${completions} RENAME ${program}
    COMPONENT programs)
endforeach()
