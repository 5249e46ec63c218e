# shellcheck shell=bash
# shellcheck disable=SC2034  # what is set is read by who sources it
# What scripts that measure a table share: sourced with FOLDER [PEER.so...], it sets root, build, folder, peers, SMALL and
# failed, and the words of the command line become the peers'.
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${BUILD:-$root/build/current}" && pwd) || exit 1
table=$(basename "$0")
if [ $# -lt 1 ]; then awk 'NR > 2 && !/^#/ { exit } NR > 2 { sub(/^# */, ""); print }' "$0" >&2 && exit 2; fi
folder=$1
shift
mkdir -p "$folder" || exit 1
peers=()
for peer in "$@"; do peers+=(--peer "$(realpath "$peer")"); done
SMALL=${SMALL:-0}
failed=0
export JITREDUCE_WISDOM= # what was tuned on this machine is not what the library chooses by itself

# run NAME COMMAND...: one benchmark into NAME.csv, whose head names files without their folders. If it fails, that is reported, and the others run.
run() {
    local name=$1
    shift
    if [[ " ${ONLY:-$name} " != *" $name "* ]]; then return; fi
    echo "$table: $name" >&2
    "$@" | sed -E '/^#/ s#([ =(])/[^ )]*/#\1#g' >"$folder/$name.csv.new" && mv "$folder/$name.csv.new" "$folder/$name.csv" && return
    failed=1
    if [ -s "$folder/$name.csv.new" ]; then mv "$folder/$name.csv.new" "$folder/$name.csv"; fi
}
