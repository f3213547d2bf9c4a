# Files compiled together read the headers that they share once, and what they share of templates is
# compiled once. Names in their anonymous namespaces must differ. A group is small enough for two
# cores to share the work, and for no compilation to take long.

# attn_unity_group(GROUP FILE...): a target in unity by groups compiles the files together.
function(attn_unity_group group)
  if(ATTN_UNITY)
    set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${group})
  endif()
endfunction()

# attn_unity(TARGET...): the target's files in the groups named, all others by themselves.
function(attn_unity)
  set_target_properties(${ARGN} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
