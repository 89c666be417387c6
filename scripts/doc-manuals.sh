#!/usr/bin/env bash
# doc-manuals.sh DIR: manuals in PDF and in HTML, from Debian's documentation packages; nothing is installed.
set -euo pipefail
manuals=$1
[ -e "$manuals/.complete" ] && exit 0
command -v apt-get >/dev/null && command -v dpkg >/dev/null || {
  echo "Reading of PDF is measured on Debian's documentation packages, and this is no Debian. Skipped." >&2
  exit 3
}
mkdir -p "$manuals/packages"
cd "$manuals/packages"
for package in r-doc-pdf r-doc-html bash-doc debian-policy valgrind octave-doc nettle-dev developers-reference \
  ubuntu-packaging-guide-pdf ubuntu-packaging-guide-html installation-guide-amd64 erlang-doc; do
  apt-get -q download "$package" >/dev/null 2>&1 || echo "$package is not to be had; measured without it." >&2
done
for package in *.deb; do dpkg -x "$package" ..; done
cd .. && rm -r packages
touch .complete
