#!/bin/sh
# Completes the installation of the deb. Replaces electron-builder's script, which would link the program into /usr/bin, where the
# package has inspection-desk.sh. That script would also check only for root whether user namespaces are available, with which
# Chromium isolates its pages.
set -e
program='/opt/Inspection Desk'
if ! runuser -u nobody -- unshare --user true 2>/dev/null; then
  # Without user namespaces, Chromium isolates its pages with this helper, which has to run as root.
  chmod 4755 "$program/chrome-sandbox"
fi
# In Ubuntu 24 and later, only programs with an AppArmor profile can use user namespaces. Systems whose AppArmor cannot parse the
# profile do not need it.
if apparmor_status --enabled >/dev/null 2>&1 &&
  apparmor_parser --skip-kernel-load --debug "$program/resources/apparmor-profile" >/dev/null 2>&1; then
  cp "$program/resources/apparmor-profile" /etc/apparmor.d/inspection-desk
  # If the kernel refuses the profile, the helper isolates the pages, or nothing restricts user namespaces.
  ischroot 2>/dev/null || apparmor_parser --replace --write-cache --skip-read-cache /etc/apparmor.d/inspection-desk || true
fi
