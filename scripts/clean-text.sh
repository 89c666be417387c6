#!/usr/bin/env bash
# clean-text.sh PYTHON DIR: ordinary text in many languages out of Debian's packages, for training and judging; nothing is installed.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$1 folder=$2
[ -e "$folder/.complete" ] && exit 0
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || {
  echo "Clean text comes out of Debian's packages, and this is no Debian. Skipped." >&2
  exit 3
}
mkdir -p "$folder/packages"
# shellcheck disable=SC2046 # the names of packages are words
for package in $(cat evals/training/clean_packages.txt); do
  (cd "$folder/packages" && apt-get -q download "$package" >/dev/null 2>&1) ||
    echo "$package is not to be had; done without it." >&2
done
"$python" -m evals.training.clean_text "$folder/packages" "$folder/text"
rm -r "$folder/packages"
touch "$folder/.complete"
