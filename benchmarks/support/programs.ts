/** Finds the programs that are measured together with the app, and installs missing ones from Debian's packages. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const PACKAGES = {
  curl: ['curl'],
  nginx: ['nginx-light'],
  rclone: ['rclone'],
  openssl: ['openssl'],
  perl: ['perl-base'],
} as const;

type Program = keyof typeof PACKAGES;

/** Returns the path of the program. Throws if it is missing and cannot be installed. */
export const findProgram = (name: Program): string => {
  if (find(name) === undefined) install(PACKAGES[name]);
  const found = find(name);
  if (found === undefined) throw new Error(`${name} is missing: apt-get install ${PACKAGES[name].join(' ')}`);
  return found;
};

/** Runs a program to its end, without its standard output. Throws if it fails. */
export const runProgram = async (
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> => {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env });
  const [exitCode] = await once(child, 'exit');
  if (exitCode !== 0) throw new Error(`${program} ended with ${exitCode}`);
};

const find = (name: Program): string | undefined =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));

const install = (packages: readonly string[]): void => {
  const apt = (...args: readonly string[]) =>
    spawnSync('apt-get', ['-qq', ...args], {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  apt('update');
  apt('install', '-y', '--no-install-recommends', ...packages);
};
