import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { createSandboxControl } from '../../src/sandbox/testing/control-client.ts';
import { program } from './support/runtime.ts';

const entry = program('src/sandbox/main.ts');

const running = new Set<ChildProcess>();
afterEach(async () => {
  // Asks each sandbox to end instead of killing it, so that it removes its temporary folder.
  const alive = [...running].filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  running.clear();
  await Promise.all(alive.map((child) => child.kill() && once(child, 'exit')));
});

const run = (...args: readonly string[]) => {
  const child = spawn(process.execPath, ['--no-warnings', entry, ...args]);
  running.add(child);
  return child;
};

const firstLine = async (child: ChildProcess) => {
  if (child.stdout === null) throw new Error('no standard output');
  const [line] = await once(createInterface(child.stdout), 'line');
  return JSON.parse(line);
};

const outcome = async (child: ChildProcess): Promise<{ code: number; output: string; errors: string }> => {
  if (child.stdout === null || child.stderr === null) throw new Error('no output');
  const [[code], output, errors] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
  return { code, output, errors };
};

test('one line says where it listens', async () => {
  const child = run();
  const line = await firstLine(child);
  expect(line).toEqual({
    type: 'listening',
    port: expect.any(Number),
    baseUrl: `http://127.0.0.1:${line.port}`,
    authUrl: `http://127.0.0.1:${line.port}/oauth`,
    clientId: 'inspection-desk',
    controlToken: expect.any(String),
  });
  expect((await createSandboxControl(line).stats()).tokenRefreshes).toBe(0);
});

describe('it stops with exit code 0', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('on %s', async (signal) => {
    const child = run();
    await firstLine(child);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('when standard input ends', async () => {
    const child = run('--parent-stdin');
    await firstLine(child);
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('when its IPC parent disconnects', async () => {
    const child = fork(entry, { execArgv: ['--no-warnings'], silent: true });
    running.add(child);
    await firstLine(child);
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

test('reads faults from a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-process-'));
  const file = join(folder, 'faults.json');
  await writeFile(file, '[{ "match": { "route": "token" }, "effect": { "type": "status", "status": 503 } }]');
  const line = await firstLine(run('--faults', file));
  expect((await fetch(`${line.authUrl}/token`, { method: 'POST' })).status).toBe(503);

  await writeFile(file, '[{ "match": { "route": "token" }, "effect": { "type": "explode" } }]');
  const refused = await outcome(run('--faults', file));
  expect(refused).toEqual({
    code: 2,
    output: '',
    errors: expect.stringMatching(/^sandbox: fault file: 0\.effect.*\n$/),
  });
  await rm(folder, { recursive: true });
});

test('refuses wrong flags in one line', async () => {
  const refused = await outcome(run('--port', 'x'));
  expect(refused).toEqual({ code: 2, output: '', errors: expect.stringMatching(/^sandbox: port: [^\n]*\n$/) });
});

test('reports a port that is in use', async () => {
  const other = await startSandbox();
  const refused = await outcome(run('--port', String(other.port)));
  await other.close();
  expect(refused).toEqual({
    code: 4,
    output: '',
    errors: expect.stringMatching(/^sandbox: [^\n]*EADDRINUSE[^\n]*\n$/),
  });
});

test('shows the help', async () => {
  expect(await outcome(run('--help'))).toMatchObject({
    code: 0,
    output: expect.stringContaining('--faults FILE.json'),
  });
});
