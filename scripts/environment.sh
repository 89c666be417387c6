#!/usr/bin/env bash
# environment.sh DIR: make a virtual environment in DIR with the pinned uv in it. Needs Python >= 3.11 and any pip >= 22.3.
set -euo pipefail
env=$1

python=
for candidate in python3.13 python3.12 python3.11 python3; do
  # A version manager's shim exists for versions that are not installed, so each candidate is tried.
  if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then python=$candidate; break; fi
done
if [ -z "$python" ]; then
  echo "No Python >= 3.11 found. Install one (Debian: apt-get install python3) and run make again." >&2
  exit 1
fi

# No ensurepip is needed, and pip writes into the environment only, never into the system.
if [ -e "$env" ] && [ ! -e "$env/pyvenv.cfg" ]; then
  echo "$env is there and is no virtual environment. Move it away and run make again." >&2
  exit 1
fi
rm -rf "$env"
"$python" -m venv --without-pip "$env"

# pip before 24.2 trusts only the authorities that it brings, unless it is told: a company's own are in the system's file.
for bundle in /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt; do
  [ ! -r "$bundle" ] || export REQUESTS_CA_BUNDLE="${REQUESTS_CA_BUNDLE:-$bundle}"
done
for pip in "$python -m pip" pip3 pip; do
  if $pip --python "$env/bin/python" --version >/dev/null 2>&1; then
    # Compiling uv's few modules would take longer than installing it.
    exec $pip --python "$env/bin/python" install --quiet --disable-pip-version-check --no-compile -c constraints.txt uv
  fi
done
rm -rf "$env"
echo "No pip >= 22.3 found for $python. Install one (Debian: apt-get install python3-pip) and run make again." >&2
exit 1
