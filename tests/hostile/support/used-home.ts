/**
 * Creates a data directory with all kinds of data: a sign-in, an upload, known files, offline data, a pending change.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import type { Keychain } from '../../../src/main/auth/keychain.ts';
import { createTestKeychain, openSignedIn } from '../../integration/support/desks.ts';
import { makeFolder } from '../../integration/support/folders.ts';
import type { HostileService } from './start-hostile-service.ts';

/** A copy of the home for one test, with the ids of its data. */
export type UsedHome = {
  readonly home: string;
  readonly keychain: Keychain;
  readonly batch: string;
  readonly assignment: string;
  readonly protocol: string;
};

/**
 * Returns a function that copies the home. The first test of the file that calls it creates the home with `service`.
 */
export const useUsedHome = (service: HostileService): (() => Promise<UsedHome>) => {
  let made: Promise<UsedHome> | undefined;
  afterAll(async () => {
    const home = (await made)?.home;
    if (home !== undefined) rmSync(home, { recursive: true, force: true });
  });
  return async () => {
    made ??= makeHome(service);
    const used = await made;
    const home = mkdtempSync(join(tmpdir(), 'hostile-home-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    cpSync(used.home, home, { recursive: true });
    return { ...used, home };
  };
};

const makeHome = async (service: HostileService): Promise<UsedHome> => {
  const home = mkdtempSync(join(tmpdir(), 'used-home-'));
  const keychain = createTestKeychain();
  const desk = await openSignedIn({ sandbox: service.address, home, keychain });
  const { handlers } = desk;
  desk.rememberConnection();
  const { Items } = (await handlers.protocols.list({})).value;
  const InspectionProtocolId = Items[0]?.InspectionProtocolId ?? '';
  await handlers.protocols.assignments({ InspectionProtocolId });
  await handlers.protocols.inspectionPoints({ InspectionProtocolId });
  await handlers.orderableEvents.list({});
  const assignment = (await handlers.assignments.projects({})).value.Items[0]?.AssignmentId ?? '';
  const { batchId } = await desk.upload(makeFolder({ 'a.txt': 'a', 'b/c.txt': 'c' }), assignment);
  await handlers.view.remember({ key: 'table.a', value: 1 });
  const stop = service.attack('update-plan-after', ({ response }) => void response.destroy());
  await handlers.assignments.planAfter({ AssignmentId: assignment, PlanAfter: 1_900_000_000 });
  stop();
  await desk.close();
  return { home, keychain, batch: batchId, assignment, protocol: InspectionProtocolId };
};
