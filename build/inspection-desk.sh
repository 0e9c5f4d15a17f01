#!/bin/sh
# Starts the command line of Inspection Desk on macOS. A link to this file works, too.
exec "$(dirname "$(readlink -f "$0")")/../MacOS/Inspection Desk" "$@"
