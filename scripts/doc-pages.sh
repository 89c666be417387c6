#!/usr/bin/env bash
# doc-pages.sh DIR [PACKAGE…]: real HTML pages to measure with, from Debian's documentation packages; nothing is installed.
set -euo pipefail
pages=$1
shift
[ $# -gt 0 ] || set -- sqlite3-doc postgresql-doc-15 python3.11-doc git-doc python-django-doc
[ -e "$pages/.complete" ] && exit 0
command -v apt-get >/dev/null && command -v dpkg >/dev/null || {
  echo "The library is measured on Debian's documentation packages, and this is no Debian. Skipped." >&2
  exit 3
}
mkdir -p "$pages/packages"
cd "$pages/packages"
for package; do
  apt-get -q download "$package" >/dev/null 2>&1 || echo "$package is not to be had; measured without it." >&2
done
for package in *.deb; do dpkg -x "$package" ..; done
cd .. && rm -r packages
touch .complete
