# Prints the target of the PTX that a program is compiled to for each chip of a file: every-chip.sh PROGRAM FILE
set -e -o pipefail
for chip in $(cat "$2"); do
  pit-opt "$1" --pit-to-ptx="chip=$chip" | pit-translate --pit-to-ptx > "$2.ptx"
  echo "$chip: $(grep '^.target' "$2.ptx")"
done
