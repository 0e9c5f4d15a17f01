// @ts-check
/**
 * Makes packages reproducible: the same sources always give the same bytes. electron-builder calls this before it packs:
 * no file in a deb gets a later date than the last commit has, by the variable that packing tools agree on
 * (https://reproducible-builds.org/specs/source-date-epoch/). Without Git and the variable they keep their own.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export default () => {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd, encoding: 'utf8' });
  if (stdout?.trim()) process.env.SOURCE_DATE_EPOCH ??= stdout.trim();
};
