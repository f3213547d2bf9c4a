# Sourced by the tests of runs that keep their results: a run of PROGRAM, `properties` or `gpt2_check`, that
# is long enough to be cut off, alone or under mpirun. Expects the names bin, program and ranks (empty: one
# process), perhaps windows (how many of the text), and sets run and launcher. Begins a temporary folder, which
# is the working folder then.
# shellcheck disable=SC2034,SC2154  # names of whoever sources this

sources=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
cd "$work" || exit 2

fail() {
  echo "FAILED: $*"
  sed 's/^/  /' out err 2>/dev/null | tail -n 20
  exit 1
}

# A model that reads 16 tokens at once, so that a page of text has many windows.
make_model() {
  cp -r "$sources/gpt2_check/tiny/model" shape
  sed -i -E 's/("n_head"): [0-9]+/\1: 2/; s/("n_layer"): [0-9]+/\1: 2/; s/("n_(positions|ctx)"): [0-9]+/\1: 16/' shape/config.json
  "$bin/gpt2_check" init --config shape/config.json --seed 1 --out model >out 2>err || fail 'no model'
  cp shape/vocab.json shape/merges.txt model/
}

# report OUT: the file that a run with --out OUT writes.
case $program in
  properties)
    run=("$bin/properties" --claim corollary3 --claim corollary3.sharp --claim theorem1.fixed
      --effort quick --seed 3 --cases 30000 --threads 1)
    report() { echo "$1"; }
    ;;
  gpt2_check)
    make_model
    run=("$bin/gpt2_check" run --model model --text "$sources/README.md" --windows "${windows:-5}"
      --lengths 8 --top-n 1 --rows last --seed 3 --threads 1)
    report() { echo "$1/report.json"; }
    ;;
  *)
    echo "no run of $program"
    exit 2
    ;;
esac

# lasting OUT: its report, but for what two runs of the same may differ in.
lasting() { grep -vE '^  "(started|seconds|threads|ranks)":' "$(report "$1")"; }

# results OUT: how many results a run with --out OUT has kept.
results() { if [[ -e $1.parts ]]; then tail -n +2 "$1.parts" | wc -l; else echo 0; fi; }

# own_lines: what was said on stderr, but for lines of Open MPI's, which begin with the host and the process.
own_lines() { grep -vE '^\[[^]]+:[0-9]+\] ' err; }

# finished CODE: whether the run has come to its end: what its verdicts are does not matter here.
finished() { (($1 == 0 || $1 == 1 || $1 == 3)); }

# As root, and with more ranks than processors.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
launcher=()
if [[ -n $ranks ]]; then
  launcher=(mpirun --quiet -n "$ranks")
  "${launcher[@]}" "$bin/$program" --version >/dev/null 2>why || {
    echo "skipped: mpirun starts nothing here: $(head -n 1 why)"
    exit 77
  }
fi
