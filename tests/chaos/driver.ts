/**
 * Runs the app in a round of chaos: starts processes that upload, one after another, and kills most of the first ones.
 */
import type { Random } from '../../src/sandbox/sample/sample-data.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { cli, type Line, type Spawned, spawnCli } from '../integration/support/cli.ts';
import { seen } from '../integration/support/runtime.ts';

type DriverOptions = {
  readonly sandbox: Sandbox;
  readonly home: string;
  readonly root: string;
  readonly assignment: string;
  readonly random: Random;
  /** The number of files in the folder. */
  readonly files: number;
  /** Called after each process. Resolves to one line for each file that the assignment has lost. */
  readonly findLosses: () => Promise<readonly string[]>;
  readonly onStep: (step: string) => void;
};

type Driver = {
  /** Starts processes one after another, at most `runs`, until the upload is done. Resolves to whether it is done. */
  readonly drive: (runs: number) => Promise<boolean>;
  readonly kills: () => number;
  /** One line for each process that ended in a way that is never allowed. */
  readonly problems: readonly string[];
};

/** An upload in the output of `uploads list`. */
type Listed = {
  readonly root: string;
  readonly state: string;
  readonly failed: number;
  readonly notReplaced?: number;
};

const KILLS_AT_MOST = 5;
const EXIT_BUG = 70;

/** Creates a driver that uploads `root` to `assignment`. `random` decides when processes are killed. */
export const createDriver = (driven: DriverOptions): Driver => {
  const { sandbox, home, root, assignment, random, files, findLosses, onStep } = driven;
  const options = { sandbox, home };
  const problems: string[] = [];
  let killsLeft = random.integer(2, KILLS_AT_MOST);
  let kills = 0;

  /**
   * Resolves to the next command, as a user would choose it from the list of uploads; undefined if there is nothing to
   * do.
   */
  const nextCommand = async (): Promise<readonly string[] | undefined> => {
    onStep('lists the uploads');
    const { lines } = await cli(['uploads'], options);
    const batch = ((lines[0]?.batches ?? []) as readonly Listed[]).find((listed) => listed.root === seen(root));
    if (!batch) return ['upload', root, '--assignment', assignment, '--on-clash', 'replace'];
    if (batch.state !== 'finished') return ['uploads', 'resume'];
    return batch.failed + (batch.notReplaced ?? 0) > 0 ? ['uploads', 'retry'] : undefined;
  };

  const run = async (command: readonly string[]): Promise<void> => {
    onStep(`runs ${command.slice(0, 2).join(' ')}`);
    const isKilled = killsLeft > 0;
    killsLeft -= 1;
    const isMoment = isKilled ? drawMoment(random, files) : undefined;
    const end = await spawnCli(command, options, (line, child) => {
      if (isMoment?.(line)) setTimeout(() => child.kill('SIGKILL'), random.integer(0, 25));
    });
    if (end.signal === 'SIGKILL') kills += 1;
    else if (end.exitCode === null || end.exitCode === EXIT_BUG) problems.push(describe(command, end));
  };

  return {
    drive: async (runs) => {
      for (let count = 0; count < runs && problems.length === 0; count += 1) {
        const command = await nextCommand();
        if (!command) return true;
        await run(command);
        onStep('looks for losses');
        problems.push(...(await findLosses()));
      }
      return (await nextCommand()) === undefined;
    },
    kills: () => kills,
    problems,
  };
};

/** Uploads a folder without faults or kills. */
export const uploadAtOnce = async ({
  sandbox,
  home,
  root,
  assignment,
}: Pick<DriverOptions, 'sandbox' | 'home' | 'root' | 'assignment'>): Promise<void> => {
  const { exitCode, stderr } = await cli(['upload', root, '--assignment', assignment], { sandbox, home });
  if (exitCode !== 0) throw new Error(`the earlier upload ended with ${exitCode}: ${stderr}`);
};

/**
 * Chooses when a process is killed: during the sign-in, while the folder is read, or after a number of files. The
 * returned function returns true for the line of output after which the process is killed.
 */
const drawMoment = (random: Random, files: number): ((line: Line) => boolean) => {
  const type = random.chance(0.15) ? random.pick(['authorize', 'progress']) : 'file';
  let left = type === 'file' ? random.integer(1, Math.ceil(files / 4)) : 1;
  return (line) => {
    if (line.type === type) left -= 1;
    return line.type === type && left === 0;
  };
};

const describe = (command: readonly string[], { exitCode, signal, stderr }: Spawned): string =>
  `${command.slice(0, 2).join(' ')} ended with ${exitCode ?? signal}: ${stderr}`;
