// @ts-check
/**
 * Makes packages reproducible: the same sources always give the same bytes. electron-builder calls this function before
 * it packs. The function sets SOURCE_DATE_EPOCH to the time of the last commit. Packing tools read the variable, so no
 * file in a deb has a later date (https://reproducible-builds.org/specs/source-date-epoch/). Without Git and the
 * variable, the files keep their dates.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export default () => {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd, encoding: 'utf8' });
  if (stdout?.trim()) process.env.SOURCE_DATE_EPOCH ??= stdout.trim();
};
