/** doctor: whether this computer has what the app needs, one check after another. */
import { statfs } from 'node:fs/promises';
import type { Connection, ConnectionCheck } from '../../../../contract/connection.ts';
import { DeskError, type ErrorData, fromErrorData, toErrorData } from '../../../../contract/errors.ts';
import type { Speech } from '../../../../words/speech/speech.ts';
import { checkAddresses } from '../../../core/connection/check-addresses.ts';
import type { ConnectionServices } from '../../../core/connection/connection-services.ts';
import { createApiAgent } from '../../../net/agents.ts';
import { EXIT } from '../../shared/exit-codes.ts';
import { createCliHost, version } from '../support/cli-host.ts';
import { describeError } from '../support/output.ts';
import { formatTable } from '../support/table.ts';
import { formatBytes } from '../support/units.ts';
import { type CliContext, withDesk } from '../support/with-desk.ts';

/** The keys of the words for the checks, by their names in JSON. */
const CHECKS = {
  'free space': 'freeSpace',
  keychain: 'keychain',
  'data directory': 'dataDirectory',
  'stored data': 'storedData',
  connection: 'connection',
  'sign-in': 'signIn',
  service: 'service',
  'sign-in address': 'signInAddress',
} as const;
type CheckName = keyof typeof CHECKS;

/** The same for findings; other findings are paths, addresses and sizes. */
const FINDINGS = {
  'can be used': 'usable',
  'not used: tokens end with the command': 'unused',
  'signed in': 'signedIn',
  'not signed in': 'signedOut',
  answers: 'answers',
} as const;

/** `about`: what was found. */
type Check = { readonly check: CheckName; readonly ok: boolean; readonly about?: string; readonly error?: ErrorData };

/** Less space than this is soon filled by ledger, cache and logs. */
const LEAST_FREE_BYTES = 200 * 1000 * 1000;

/** Runs every check, even if others fail. The exit code says whether all passed. Does not sign in. */
export const doctor = async (context: CliContext): Promise<number> => {
  const { output, signal } = context;
  const { t } = output.speech;
  const checks: Check[] = [];
  const check = async (name: CheckName, find: () => Promise<string> | string): Promise<void> => {
    try {
      checks.push({ check: name, ok: true, about: await find() });
    } catch (error) {
      if (signal.aborted || !(error instanceof DeskError)) throw error;
      checks.push({ check: name, ok: false, error: toErrorData(error) });
    }
  };
  const { home, keychain } = createCliHost(context);

  let freeBytes = 0;
  await check('free space', async () => {
    freeBytes = await freeSpace(home);
    // As scripts read it, in every language.
    return formatBytes(freeBytes, { locale: 'en' });
  });
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
    const reached = await reach(connected.connection, signal);
    await check('service', () => answers(reached.baseUrl));
    await check('sign-in address', () => answers(reached.authUrl));
  }

  const ok = checks.every((one) => one.ok);
  const machine = { version, node: process.versions.node, platform: `${process.platform} ${process.arch}` };
  output.result({ ok, ...machine, checks }, () => [
    `Inspection Desk ${version}, Node ${machine.node}, ${machine.platform}`,
    ...formatTable(checks, [
      { title: t('table.title.check'), cell: (one) => t(`table.check.${CHECKS[one.check]}`) },
      { title: '', cell: (one) => t(one.ok ? 'table.found.ok' : 'table.found.failed') },
      {
        title: t('table.title.found'),
        cell: ({ check: name, about, error }) =>
          (name === 'free space' && !error ? formatBytes(freeBytes, output.speech) : found(about, t)) ??
          error?.code ??
          '',
      },
    ]),
  ]);
  // Problems of stored data were reported when it was opened.
  for (const { check: name, error } of checks)
    if (error && name !== 'stored data') output.say(describeError(fromErrorData(error), output.speech));
  return ok ? EXIT.done : EXIT.failures;
};

const found = (about: string | undefined, t: Speech<'host'>['t']): string | undefined =>
  about !== undefined && isFinding(about) ? t(`table.found.${FINDINGS[about]}`) : about;

const isFinding = (about: string): about is keyof typeof FINDINGS => Object.hasOwn(FINDINGS, about);

/** The free space, in bytes. Errors: `data/unwritable` if there is too little. */
const freeSpace = async (home: string): Promise<number> => {
  const { bavail, bsize } = await statfs(home);
  const freeBytes = bavail * bsize;
  if (freeBytes < LEAST_FREE_BYTES) {
    throw new DeskError('data/unwritable', 'the disk is nearly full', { details: { path: home, freeBytes } });
  }
  return freeBytes;
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
