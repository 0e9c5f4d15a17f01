#!/bin/sh
# Starts the window or the command line of Inspection Desk from the PATH of Linux. Chromium writes only fatal errors to standard
# error, which is for messages to the user. Without a display, as in cron, Chromium would crash unless it runs headless.
[ -n "$DISPLAY$WAYLAND_DISPLAY" ] || set -- --ozone-platform=headless "$@"
exec '/opt/Inspection Desk/inspection-desk' --log-level=3 "$@"
