/** Opens damaged data directories as the window and as the command line do. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type ErrorCode, toErrorData } from '../../../src/contract/errors.ts';
import { createDispatcher } from '../../../src/main/core/handlers/handlers.ts';
import { cli } from '../../integration/support/cli.ts';
import { openDesk } from '../../integration/support/desks.ts';
import type { Damage } from './hostile-home.ts';
import type { UsedHome } from './used-home.ts';

const hashOf = (home: string): string | undefined => {
  const path = join(home, 'ledger.sqlite');
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  return createHash('sha256').update(readFileSync(path)).digest('hex');
};

/** The calls that a window makes without a service. Each has to succeed, or to fail with a code that says why. */
const callsOn = ({ batch: batchId, assignment, protocol }: UsedHome): readonly (readonly [string, unknown])[] => [
  ['app.snapshot', undefined],
  ['overview.read', undefined],
  ['search.find', { text: 'a' }],
  ['protocols.table', {}],
  ['protocols.list', { offline: true }],
  ['protocols.assignments', { InspectionProtocolId: protocol, offline: true }],
  ['protocols.inspectionPoints', { InspectionProtocolId: protocol, offline: true }],
  ['orderableEvents.list', { offline: true }],
  ['assignments.counties', undefined],
  ['assignments.get', { AssignmentId: assignment }],
  ['assignments.knownFiles', { AssignmentId: assignment }],
  ['uploads.files', { batchId }],
  ['uploads.errorGroups', { batchId }],
  ['uploads.verify', { batchId }],
  ['cache.size', undefined],
  ['view.remember', { key: 'place', value: 'x' }],
  ['app.snapshot', undefined],
];

/** Resolves to the codes of the notices, or to why the desk does not open. Fails if a call responds with `app/bug`. */
const openAsWindow = async (
  used: UsedHome,
): Promise<{ readonly notices: readonly ErrorCode[]; refusal?: ErrorCode }> => {
  const { home, keychain } = used;
  const opened = await openDesk({ home, keychain, resumeUploads: false }).catch((error) => toErrorData(error));
  if ('code' in opened) return { notices: [], refusal: opened.code };
  const bugs: unknown[] = [];
  const { dispatch } = createDispatcher(opened.handlers, (error) => bugs.push(error));
  for (const [name, input] of callsOn(used)) await dispatch(name, input);
  expect(bugs).toEqual([]);
  const { notices } = await opened.handlers.app.snapshot(undefined);
  await opened.close();
  return { notices: notices.map(({ code }) => code) };
};

/** Damages a copy of the home, opens it in both ways, and expects only what `damage` allows. */
export const expectNamed = async (
  copy: () => Promise<UsedHome>,
  { damage, refuses = [], says }: Damage,
): Promise<void> => {
  const used = await copy();
  damage(used.home);
  const before = hashOf(used.home);
  const { notices, refusal } = await openAsWindow(used);
  if (refusal !== undefined) expect(refuses).toContain(refusal);
  else if (says !== undefined) expect(notices).toContain(says);
  if (refusal !== undefined || notices.includes('data/corrupt') || notices.includes('data/newer'))
    expect(hashOf(used.home)).toBe(before);

  const forCli = await copy();
  damage(forCli.home);
  const { exitCode, stderr } = await cli(['uploads', 'show', used.batch], { home: forCli.home, words: true });
  expect(`${exitCode} ${stderr}`).not.toMatch(/^70 |app\/bug/);
};
