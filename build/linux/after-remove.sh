#!/bin/sh
# Removes the profile that after-install.sh added. An upgrade keeps it for the new version.
set -e
profile=/etc/apparmor.d/inspection-desk
case $1 in remove | purge | disappear) ;; *) exit 0 ;; esac
if [ -f "$profile" ]; then
  if apparmor_status --enabled >/dev/null 2>&1 && ! ischroot 2>/dev/null; then apparmor_parser --remove "$profile" || true; fi
  rm -f "$profile"
fi
