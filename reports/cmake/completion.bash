# bash completion for claims, properties, gpt2_check and report: the subcommands and flags that --help
# names, else files.
_attention_limits() {
  local program=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]} help
  local -a asked=()
  ((COMP_CWORD == 1)) || [[ ${COMP_WORDS[1]} == -* ]] || asked=("${COMP_WORDS[1]}")
  help=$("$program" "${asked[@]}" --help 2>/dev/null) || return
  local words
  words=$(grep -oE '(^|[ ,])--[a-z][a-z0-9-]*' <<<"$help" | tr -d ' ,')
  ((COMP_CWORD > 1)) || words+=$'\n'$(sed -n '/^Subcommands:/,$ s/^  \([a-z][a-z-]*\) .*/\1/p' <<<"$help")
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _attention_limits claims properties gpt2_check report
