#!/bin/sh
# Starts an Electron that is older than the app's own, with the script early-scheme.cjs.
NODE_OPTIONS="--require=$(dirname "$(readlink -f "$0")")/early-scheme.cjs" exec "$ELECTRON_OVERRIDE_DIST_PATH/electron" "$@"
