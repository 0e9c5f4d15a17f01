/** doctor: whether this computer has what the app needs, one check after another. */
import { statfs } from 'node:fs/promises';
import type { Connection, ConnectionCheck } from '../../../../contract/connection.ts';
import { DeskError, type ErrorData, fromErrorData, toErrorData } from '../../../../contract/errors.ts';
import { checkAddresses } from '../../../core/connection/check-addresses.ts';
import type { ConnectionServices } from '../../../core/connection/connection-services.ts';
import { createApiAgent } from '../../../net/agents.ts';
import { EXIT } from '../../shared/exit-codes.ts';
import { createCliHost, version } from '../support/cli-host.ts';
import { describeError } from '../support/output.ts';
import { formatTable } from '../support/table.ts';
import { formatBytes } from '../support/units.ts';
import { type CliContext, withDesk } from '../support/with-desk.ts';

/** `about`: what was found. */
type Check = { readonly check: string; readonly ok: boolean; readonly about?: string; readonly error?: ErrorData };

/** Less than this is soon full of a ledger, a cache and logs. */
const LEAST_FREE_BYTES = 200 * 1000 * 1000;

/** Runs every check, whatever becomes of the others; the exit code says whether all is well. Signs nobody in. */
export const doctor = async (context: CliContext): Promise<number> => {
  const { output, signal } = context;
  const checks: Check[] = [];
  const check = async (name: string, find: () => Promise<string> | string): Promise<void> => {
    try {
      checks.push({ check: name, ok: true, about: await find() });
    } catch (error) {
      if (signal.aborted || !(error instanceof DeskError)) throw error;
      checks.push({ check: name, ok: false, error: toErrorData(error) });
    }
  };
  const { home, keychain } = createCliHost(context);

  await check('free space', () => freeSpace(home));
  await check('keychain', async () => {
    await keychain?.get('doctor');
    return keychain ? 'can be used' : 'not used: tokens end with the command';
  });
  let connected: ConnectionServices | undefined;
  await check('data directory', async () => {
    await withDesk(context, async (desk) => {
      const { notices, session } = await desk.handlers.app.snapshot(undefined);
      for (const { code, ...notice } of notices) {
        if (!code.startsWith('connection/'))
          checks.push({ check: 'stored data', ok: false, error: { code, ...notice } });
      }
      await check('connection', () => {
        connected = desk.connected();
        return connected.connection.baseUrl;
      });
      await check('sign-in', () => {
        if (session.state === 'signed-out' && session.reason) throw fromErrorData(session.reason);
        return session.state === 'signed-in' ? 'signed in' : 'not signed in';
      });
      return EXIT.done;
    });
    return home;
  });
  if (connected) {
    const found = await reach(connected.connection, signal);
    await check('service', () => answers(found.baseUrl));
    await check('sign-in address', () => answers(found.authUrl));
  }

  const ok = checks.every((one) => one.ok);
  const machine = { version, node: process.versions.node, platform: `${process.platform} ${process.arch}` };
  output.result({ ok, ...machine, checks }, () => [
    `Inspection Desk ${version}, Node ${machine.node}, ${machine.platform}`,
    ...formatTable(checks, [
      { title: 'Check', cell: (one) => one.check },
      { title: '', cell: (one) => (one.ok ? 'ok' : 'FAILED') },
      { title: 'Found', cell: ({ about, error }) => about ?? error?.code ?? '' },
    ]),
  ]);
  // What is wrong with stored data was said when it was opened.
  for (const { check: name, error } of checks)
    if (error && name !== 'stored data') output.say(describeError(fromErrorData(error), output.speech));
  return ok ? EXIT.done : EXIT.failures;
};

const freeSpace = async (home: string): Promise<string> => {
  const { bavail, bsize } = await statfs(home);
  const freeBytes = bavail * bsize;
  if (freeBytes < LEAST_FREE_BYTES) {
    throw new DeskError('data/unwritable', 'the disk is nearly full', { details: { path: home, freeBytes } });
  }
  return formatBytes(freeBytes);
};

/** What is wrong with the two addresses. Errors: `app/cancelled`. */
const reach = async (connection: Connection, signal: AbortSignal): Promise<ConnectionCheck> => {
  const agent = createApiAgent();
  try {
    return await checkAddresses(connection, agent, signal);
  } finally {
    await agent.destroy();
  }
};

const answers = (found: ErrorData | undefined): string => {
  if (found) throw fromErrorData(found);
  return 'answers';
};
