/** A sandbox for the tests of a file: reset after each test, with unused assignments on request. */
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { FaultEffect, FaultRule } from '../../../src/sandbox/faults/fault-plan.ts';
import type { RouteName } from '../../../src/sandbox/http/http.ts';
import type { SandboxOptions } from '../../../src/sandbox/server.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { assignmentIds, callWith, signIn } from '../../../src/sandbox/testing/client.ts';
import { createSandboxControl, type SandboxControl } from '../../../src/sandbox/testing/control-client.ts';
import { sha256, type Tree } from './folders.ts';

export type TestSandbox = {
  readonly address: Sandbox;
  readonly control: SandboxControl;
  /** An assignment that no test before has touched. */
  readonly newAssignment: () => string;
};

/** A draft reads the assignments of every protocol first: with the 240 of the sample data that takes longer than most tests. */
const FEW_PROTOCOLS = 24;

/** Starts a sandbox for this file; use the result within tests. It has few protocols, unless `options` say otherwise. */
export const useSandbox = (options: SandboxOptions = {}): TestSandbox => {
  let sandbox: Sandbox;
  let control: SandboxControl;
  let assignments: string[];

  beforeAll(async () => {
    sandbox = await startSandbox({ consent: 'auto', protocols: FEW_PROTOCOLS, ...options });
    control = createSandboxControl(sandbox);
    assignments = await assignmentsOf(sandbox);
    await control.resetStats();
  });
  afterEach(async () => {
    await control.faults.clear();
    await control.resetStats();
  });
  afterAll(() => sandbox.close());

  return {
    get address() {
      return sandbox;
    },
    get control() {
      return control;
    },
    newAssignment: () => {
      const assignment = assignments.pop();
      if (assignment === undefined) throw new Error('the sandbox has no more assignments');
      return assignment;
    },
  };
};

/** AssignmentIds of the sandbox's project assignments. */
export const assignmentsOf = async (sandbox: Sandbox): Promise<string[]> =>
  assignmentIds(callWith(sandbox, (await signIn(sandbox)).access_token));

/** A rule for the first request of `route` that is about `contains`, or for any of them. */
export const once = (route: RouteName, effect: FaultEffect, contains?: string): FaultRule => ({
  match: contains === undefined ? { route } : { route, contains },
  when: { count: 1 },
  effect,
});

/** A rule for every request of `route` that is about `contains`, or for all of them. */
export const always = (route: RouteName, effect: FaultEffect, contains?: string): FaultRule => ({
  match: contains === undefined ? { route } : { route, contains },
  effect,
});

/** Silence until the client or the sandbox goes. */
export const silence = { type: 'stall', forMs: 3_600_000 } as const;

/** What was asked for is done, and then the same. */
export const silentAnswer = { ...silence, in: 'answer' } as const;

/** What the storage holds for an assignment. */
export const storedOn = async (control: SandboxControl, assignment: string) =>
  (await control.objects()).filter(({ AssignmentId }) => AssignmentId === assignment);

/**
 * Expects the storage to hold for the assignment exactly one object for each file of `tree`, byte for byte; the
 * FileName of each is the last part of its path, or what `names` says.
 */
export const expectStored = async (
  control: SandboxControl,
  assignment: string,
  tree: Tree,
  names: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const objects = await storedOn(control, assignment);
  const expected = Object.entries(tree).map(
    ([path, content]) => `${names[path] ?? path.split('/').at(-1)} ${sha256(content)}`,
  );
  expect(objects.map(({ FileName, sha256 }) => `${FileName} ${sha256}`).sort()).toEqual(expected.sort());
};
