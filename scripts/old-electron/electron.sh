#!/bin/sh
# An Electron older than the app's own, with what early-scheme.cjs tells.
NODE_OPTIONS="--require=$(dirname "$(readlink -f "$0")")/early-scheme.cjs" exec "$ELECTRON_OVERRIDE_DIST_PATH/electron" "$@"
