/**
 * Measures how long a command takes to start: from the sources, and from a bundle. The installed app runs such a bundle
 * in Electron.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleCli } from '../../scripts/bundle-cli.mjs';
import { endedChildrenCpuSeconds } from '../support/cpu.ts';
import { alternate, type CaseResult, figure, seconds } from '../support/measure.ts';
import { runProgram } from '../support/programs.ts';
import { inDirectory } from '../support/rig.ts';
import type { Scale } from '../support/scale.ts';

const sources = fileURLToPath(new URL('../../src/main/hosts/headless/main.mjs', import.meta.url));

/** Runs `status` with an existing data directory. It loads and opens everything, and makes no requests. */
export const start = ({ rounds }: Scale): Promise<CaseResult> =>
  inDirectory(async (dir) => {
    const bundled = join(await bundleCli(), 'src/main/hosts/headless/main.mjs');
    const home = join(dir, 'home');
    mkdirSync(home);
    const cpuSeconds = new Map<string, number[]>();
    const contender = (name: string, main: string) => ({
      name,
      run: async () => {
        const before = endedChildrenCpuSeconds();
        const took = await seconds(() => status(main, home));
        cpuSeconds.set(name, [...(cpuSeconds.get(name) ?? []), endedChildrenCpuSeconds() - before]);
        return took;
      },
    });
    const contenders = [contender('bundle', bundled), contender('sources', sources)];
    // The first start fills Node's compile cache, and creates the databases.
    for (const { run } of contenders) await run();
    cpuSeconds.clear();
    const samples = await alternate(contenders, rounds);
    return {
      name: 'start',
      title: 'start and end of a command (`status`)',
      figures: [
        figure('as a bundle', 's', samples.get('bundle') ?? [], 0.35),
        figure('as a bundle: processor time', 's', cpuSeconds.get('bundle') ?? []),
        figure('from the sources', 's', samples.get('sources') ?? []),
        figure('from the sources: processor time', 's', cpuSeconds.get('sources') ?? []),
      ],
    };
  });

const status = (main: string, home: string): Promise<void> =>
  runProgram(process.execPath, [main, 'status', '--home', home, '--token-store', 'memory'], {
    PATH: process.env.PATH,
    HOME: home,
  });
