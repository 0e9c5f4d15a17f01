// @ts-check
import { spawnSync } from 'node:child_process';

/**
 * Returns the prefix of a command that opens windows: `xvfb-run` if there is no display and `xvfb-run` is installed,
 * otherwise empty.
 * @returns {readonly string[]}
 */
export const onDisplay = () => {
  const needsOne = process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;
  return needsOne && spawnSync('xvfb-run', ['--help']).status === 0 ? ['xvfb-run', '-a'] : [];
};
