#!/bin/sh
# The command line of Inspection Desk on macOS, also by a link to this file.
exec "$(dirname "$(readlink -f "$0")")/../MacOS/Inspection Desk" "$@"
