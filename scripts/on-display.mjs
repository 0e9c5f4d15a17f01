// @ts-check
import { spawnSync } from 'node:child_process';

/** What to put before a command that opens windows: where there is no display but an Xvfb, that. @returns {readonly string[]} */
export const onDisplay = () => {
  const needsOne = process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;
  return needsOne && spawnSync('xvfb-run', ['--help']).status === 0 ? ['xvfb-run', '-a'] : [];
};
