// @ts-check
import { spawnSync } from 'node:child_process';

/** The prefix of a command that opens windows: an Xvfb if there is one and no display. @returns {readonly string[]} */
export const onDisplay = () => {
  const needsOne = process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;
  return needsOne && spawnSync('xvfb-run', ['--help']).status === 0 ? ['xvfb-run', '-a'] : [];
};
