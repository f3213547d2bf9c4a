# A manual page for each program and each of its subcommands, which the target `manuals` makes from their
# --help, and the completion of their flags for bash.
find_program(HELP2MAN help2man)

# attn_manual(PROGRAM [SUBCOMMAND])
function(attn_manual program)
  list(JOIN ARGV "-" page)
  string(APPEND page ".1")
  list(JOIN ARGN " " subcommand)
  set(file ${PROJECT_BINARY_DIR}/manuals/${page})
  add_custom_command(OUTPUT ${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/manuals
    COMMAND ${HELP2MAN} --no-info --section=1 --version-string=${PROJECT_VERSION}
      --name "limits of softmax attention" "--help-option=${subcommand} --help" --output=${file}
      $<TARGET_FILE:${program}>
    DEPENDS ${program} VERBATIM)
  set_property(GLOBAL APPEND PROPERTY attn_manuals ${file})
endfunction()

if(HELP2MAN AND NOT CMAKE_CROSSCOMPILING)
  attn_manual(claims)
  foreach(subcommand IN ITEMS list show eval certify recheck)
    attn_manual(claims ${subcommand})
  endforeach()
  attn_manual(properties)
  attn_manual(report)
  foreach(subcommand IN ITEMS render gate diff baseline schema merge)
    attn_manual(report ${subcommand})
  endforeach()
  if(ATTN_GPT2)
    attn_manual(gpt2_check)
    foreach(subcommand IN ITEMS run activations tokenize init)
      attn_manual(gpt2_check ${subcommand})
    endforeach()
  endif()
  get_property(manuals GLOBAL PROPERTY attn_manuals)
  add_custom_target(manuals DEPENDS ${manuals})
  install(FILES ${manuals} DESTINATION share/man/man1 COMPONENT programs OPTIONAL)
endif()

set(completions share/bash-completion/completions)
foreach(program IN LISTS attn_programs)
  install(FILES reports/cmake/completion.bash DESTINATION ${completions} RENAME ${program}
    COMPONENT programs)
endforeach()
