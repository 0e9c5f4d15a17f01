/**
 * Starts a sandbox for the tests of a file. Its faults and statistics are cleared after each test, and it supplies
 * unused assignments.
 */
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
  /** Returns an assignment that no earlier test has used. */
  readonly newAssignment: () => string;
};

/**
 * A draft first reads the assignments of every protocol. With the 240 protocols of the sample data, that takes longer
 * than most tests.
 */
const FEW_PROTOCOLS = 24;

/** Starts a sandbox for this file, by default with few protocols. The result can be used within tests. */
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

/** The AssignmentIds of the sandbox's project assignments. */
export const assignmentsOf = async (sandbox: Sandbox): Promise<string[]> =>
  assignmentIds(callWith(sandbox, (await signIn(sandbox)).access_token));

/** Returns a rule for the first request of `route`, or for the first that contains `contains`. */
export const once = (route: RouteName, effect: FaultEffect, contains?: string): FaultRule => ({
  match: contains === undefined ? { route } : { route, contains },
  when: { count: 1 },
  effect,
});

/** Returns a rule for all requests of `route`, or for those that contain `contains`. */
export const always = (route: RouteName, effect: FaultEffect, contains?: string): FaultRule => ({
  match: contains === undefined ? { route } : { route, contains },
  effect,
});

/** No response until the faults are released, or the client or the sandbox closes the connection. */
export const silence = { type: 'stall', forMs: 3_600_000 } as const;

/** The sandbox carries out the request, but responds only if the faults are released. */
export const silentAnswer = { ...silence, in: 'answer' } as const;

/** The objects that the storage has for an assignment. */
export const storedOn = async (control: SandboxControl, assignment: string) =>
  (await control.objects()).filter(({ AssignmentId }) => AssignmentId === assignment);

/**
 * Expects that the storage has exactly one object for each file of `tree`, byte for byte. Its FileName is the last part
 * of the path, unless `names` has another one.
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
