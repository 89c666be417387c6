#!/usr/bin/env bash
# fidelity-pages.sh DIR PACKAGE...: pages of many documentation generators, from Debian's packages, one folder each; nothing is installed.
set -euo pipefail
pages=$1
shift
[ -e "$pages/.complete" ] && exit 0
command -v apt-get >/dev/null && command -v dpkg >/dev/null || {
  echo "Fidelity is measured on Debian's documentation packages, and this is no Debian. Skipped." >&2
  exit 3
}
mkdir -p "$pages"
cd "$pages"
for package in "$@"; do
  [ -d "$package" ] && continue
  if apt-get -q download "$package" >/dev/null 2>&1; then
    dpkg -x "$package"_*.deb "$package"
    rm "$package"_*.deb
  else
    echo "$package is not to be had; measured without it." >&2
  fi
done
touch .complete
