/** Opens desks that use a sandbox, with separate data directories, and a user who consents to everything. */
import { onTestFinished, vi } from 'vitest';
import type { DeskEvent } from '../../../src/contract/app.ts';
import type { Batch, UploadFile } from '../../../src/contract/uploads.ts';
import type { Keychain } from '../../../src/main/auth/keychain.ts';
import type { DeskOptions } from '../../../src/main/core/desk.ts';
import { createDesk, type Desk } from '../../../src/main/core/desk.ts';
import type { Host } from '../../../src/main/core/host.ts';
import { uploadNotice } from '../../../src/main/hosts/electron/desktop-status.ts';
import type { RemoteUploads } from '../../../src/main/uploads/engine/start-engine.ts';
import type { Sandbox } from '../../../src/sandbox/server.ts';
import { createHostSpeech } from '../../../src/words/speech.ts';
import { makeDirectory } from './folders.ts';
import { createTestHost } from './test-host.ts';

export { createTestKeychain } from './test-host.ts';

export const withoutBackoff = (): void => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  onTestFinished(() => void vi.restoreAllMocks());
};

/** Options for a desk that is slow enough for a test to act during a batch of small files. */
export const slow: DeskOptions = { bytesPerSecond: 80_000 };

/** Options for a desk that soon notices that a host can be reached again. */
export const quickProbes: DeskOptions = {
  probes: { attempts: Number.POSITIVE_INFINITY, firstMs: 50, growth: 1, longestMs: 50, jitter: false },
};

/** Slows down a desk's uploads until the returned function is called, so that a test can act during a large file. */
export const slowDown = async ({ handlers }: Pick<Desk, 'handlers'>): Promise<() => Promise<void>> => {
  const limit = async (bytesPerSecond: number): Promise<void> =>
    void (await handlers.preferences.set({ uploadLimit: { bytesPerSecond, schedule: [] }, leaveRoom: 'never' }));
  await limit(10_000);
  return () => limit(1_000_000_000);
};

export type TestDeskOptions = DeskOptions & {
  readonly sandbox?: Pick<Sandbox, 'baseUrl' | 'authUrl' | 'clientId'>;
  /** Default: a new directory. */
  readonly home?: string;
  /** Absent: tokens are stored in memory. */
  readonly keychain?: Keychain;
  readonly host?: Partial<Host>;
};

export type TestDesk = Desk & {
  readonly home: string;
  readonly uploads: RemoteUploads;
  readonly signIn: () => Promise<void>;
  readonly events: readonly DeskEvent[];
  /** The notifications that were shown to the user. */
  readonly notified: readonly ReturnType<typeof uploadNotice>[];
  /** Uploads a folder. Resolves when the upload has ended. */
  readonly upload: (root: string, assignmentId: string) => Promise<Batch>;
  /** Resolves to the batch as soon as `is` returns true for it. */
  readonly when: (batch: string, is: (batch: Batch) => boolean) => Promise<Batch>;
  /** Removes a file from an assignment. Resolves once the removal is done or pending. */
  readonly removeFile: (AssignmentId: string, Key: string) => Promise<void>;
  readonly filesOf: (batch: string) => Promise<Readonly<Record<string, UploadFile>>>;
};

/** Opens a desk. It is closed when the test has ended, unless the test has closed it. */
export const openDesk = async (options: TestDeskOptions = {}): Promise<TestDesk> => {
  const { sandbox, home = makeDirectory(), keychain, host = {}, ...deskOptions } = options;
  const notified: ReturnType<typeof uploadNotice>[] = [];
  const english = await createHostSpeech('en');
  const desk = await createDesk(
    {
      ...createTestHost(english, { home, sandbox, keychain }),
      notify: (batches) => notified.push(uploadNotice(batches, english)),
      ...host,
    },
    { concurrency: 4, listLagMs: 0, ...deskOptions },
  );
  onTestFinished(() => desk.close());

  const events: DeskEvent[] = [];
  desk.onEvent((event) => events.push(event));
  const uploads = (): RemoteUploads => desk.connected().uploads;
  return {
    ...desk,
    home,
    get uploads() {
      return uploads();
    },
    signIn: () => desk.connected().session.signIn(),
    events,
    notified,
    upload: async (root, assignmentId) => {
      const { batchId } = await uploads().start({ root, assignmentId });
      return uploads().ended(batchId);
    },
    when: (id, is) =>
      new Promise((resolve, reject) => {
        const stop = desk.onEvent((event) => {
          const changed = event.type === 'batches' && event.batches.find(({ batchId }) => batchId === id);
          if (changed) settle(changed);
        });
        const settle = (batch: Batch): void => {
          if (!is(batch)) return;
          stop();
          resolve(batch);
        };
        uploads().get(id).then(settle).catch(reject);
      }),
    removeFile: async (AssignmentId, Key) => {
      await desk.handlers.files.remove({ AssignmentId, Keys: [Key] });
      await desk.connected().outbox.send();
    },
    filesOf: async (batch) => {
      const { files } = await uploads().files(batch, { offset: 0, limit: 100_000 });
      return Object.fromEntries(files.map((file) => [file.path, file]));
    },
  };
};

export const openSignedIn = async (options: TestDeskOptions): Promise<TestDesk> => {
  const desk = await openDesk(options);
  await desk.signIn();
  return desk;
};
