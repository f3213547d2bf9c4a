# Files compiled together read the headers that they share once, and what they share of templates is
# compiled once. Names in their anonymous namespaces must differ. A group is small enough for two
# cores to share the work, and for no compilation to take long.

# attn_compile(TARGET [PRECOMPILED set] [UNITY files]): how a target of the project's own build is
# compiled: with a set of precompiled headers (precompiled.cmake), and so many of its files
# together. The largest libraries say by attn_unity which are. Few together are files that take long
# by themselves, or have helpers of one name.
function(attn_compile target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PRECOMPILED;UNITY" "")
  if(NOT PROJECT_IS_TOP_LEVEL)
    return()
  endif()
  if(arg_PRECOMPILED)
    attn_precompiled(${arg_PRECOMPILED} ${target})
  endif()
  if(arg_UNITY AND ATTN_UNITY)
    set_target_properties(${target} PROPERTIES
      UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${arg_UNITY})
  endif()
endfunction()

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
