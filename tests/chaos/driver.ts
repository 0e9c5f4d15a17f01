/** The app's side of a round: starts processes that upload, and kills most of the first ones. */
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
  /** How many are in the folder. */
  readonly files: number;
  /** What is wrong on the assignment at any time, whatever the process did; called after each. */
  readonly findLosses: () => Promise<readonly string[]>;
  readonly onStep: (step: string) => void;
};

type Driver = {
  /** Starts processes one after another, at most `runs`, until the upload is done; returns whether it is. */
  readonly drive: (runs: number) => Promise<boolean>;
  readonly kills: () => number;
  /** What a process did that none may do. */
  readonly problems: readonly string[];
};

/** A row of `uploads list`. */
type Listed = {
  readonly root: string;
  readonly state: string;
  readonly failed: number;
  readonly notReplaced?: number;
};

const KILLS_AT_MOST = 5;
const EXIT_BUG = 70;

/** A driver of uploads of `root` to `assignment`; `random` decides when processes are killed. */
export const createDriver = (driven: DriverOptions): Driver => {
  const { sandbox, home, root, assignment, random, files, findLosses, onStep } = driven;
  const options = { sandbox, home };
  const problems: string[] = [];
  let killsLeft = random.integer(2, KILLS_AT_MOST);
  let kills = 0;

  /** The next command, chosen from the list of uploads as a person would; undefined when there is nothing to do. */
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

/** Uploads a folder without faults and kills. */
export const uploadAtOnce = async ({
  sandbox,
  home,
  root,
  assignment,
}: Pick<DriverOptions, 'sandbox' | 'home' | 'root' | 'assignment'>): Promise<void> => {
  const { exitCode, stderr } = await cli(['upload', root, '--assignment', assignment], { sandbox, home });
  if (exitCode !== 0) throw new Error(`the earlier upload ended with ${exitCode}: ${stderr}`);
};

/** When the process is killed: as it signs in, while it reads the folder, or after a number of files. */
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
