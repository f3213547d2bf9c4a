# Writes ${OUTPUT} from ${TEMPLATE} with the commit that is being built. Run at every build, so that
# the commit is that of the sources compiled, not that of the last configuration; the file is
# touched only where its content changes.
set(git git -c "safe.directory=${SOURCE_DIR}" -C "${SOURCE_DIR}")
execute_process(COMMAND ${git} rev-parse HEAD OUTPUT_VARIABLE ATTN_COMMIT
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(ATTN_COMMIT "unknown")
  set(ATTN_DIRTY "true")
else()
  execute_process(COMMAND ${git} status --porcelain --untracked-files=no
    OUTPUT_VARIABLE changes ERROR_QUIET)
  if(changes)
    set(ATTN_DIRTY "true")
  else()
    set(ATTN_DIRTY "false")
  endif()
endif()
configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)
