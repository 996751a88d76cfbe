#!/bin/sh
# with-package.sh BUILD CACHE COMMAND...: runs a command with the Python package of the source tree, on a build.
set -e
here="$(cd "$(dirname "$0")" && pwd)"
export PIT_MLIR_COMPILER="$1/bin/pit-compile" PIT_MLIR_CACHE="$2" PYTHONPATH="$here/../../python:$here" PYTHONDONTWRITEBYTECODE=1
shift 2
exec "$@"
