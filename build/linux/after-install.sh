#!/bin/sh
# Completes the installation of the deb. electron-builder's own script would also link the program into /usr/bin, where the package
# has inspection-desk.sh, and asks only for root whether there are user namespaces, with which Chromium confines its pages.
set -e
program='/opt/Inspection Desk'
if ! runuser -u nobody -- unshare --user true 2>/dev/null; then
  # Its helper does so in their place.
  chmod 4755 "$program/chrome-sandbox"
fi
# Ubuntu 24 and later have user namespaces for programs with a profile only. What does not know the profile needs none.
if apparmor_status --enabled >/dev/null 2>&1 &&
  apparmor_parser --skip-kernel-load --debug "$program/resources/apparmor-profile" >/dev/null 2>&1; then
  cp "$program/resources/apparmor-profile" /etc/apparmor.d/inspection-desk
  ischroot 2>/dev/null || apparmor_parser --replace --write-cache --skip-read-cache /etc/apparmor.d/inspection-desk
fi
