#!/usr/bin/env bash
# debian-packages.sh PACKAGE:PROGRAM...: install the Debian packages whose programs the tests talk to, where that is allowed.
# Never fails: a test that lacks its server says so itself, and fails where WEBSEARCH_REQUIRE_REAL=1.
set -uo pipefail

PATH=$PATH:/usr/sbin # where Debian has its servers, and most users do not look
missing=()
for pair in "$@"; do
  command -v "${pair#*:}" >/dev/null || missing+=("${pair%%:*}")
done
[ ${#missing[@]} -eq 0 ] && exit 0

say() {
  printf '\n*** %s\n*** The tests that talk to these will be skipped: %s\n*** To run them: apt-get install %s\n\n' \
    "$1" "${missing[*]}" "${missing[*]}" >&2
  exit 0
}

command -v apt-get >/dev/null || say "This machine has no apt-get."
root=()
if [ "$(id -u)" -ne 0 ]; then
  sudo -n true 2>/dev/null || say "Not root, and sudo asks for a password."
  root=(sudo -n)
fi
apt() { "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=120 "$@" >/dev/null; }
echo "Installing Debian packages for the tests: ${missing[*]}" >&2
apt update && apt install --no-install-recommends "${missing[@]}" || say "apt-get could not install them."
