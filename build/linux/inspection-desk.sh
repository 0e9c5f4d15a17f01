#!/bin/sh
# Inspection Desk on the PATH of Linux: its window and its command line. Standard error is for people, so Chromium writes there
# only what ends it. Where there is no display, as in cron, Chromium has to be told so: it ends in a crash otherwise.
[ -n "$DISPLAY$WAYLAND_DISPLAY" ] || set -- --ozone-platform=headless "$@"
exec '/opt/Inspection Desk/inspection-desk' --log-level=3 "$@"
