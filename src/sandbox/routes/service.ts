/** The options of a sandbox, and what its routes share: the data, the state, the faults and the statistics. */
import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { createWatch } from '../faults/effects.ts';
import { createFaultPlan, FaultRules } from '../faults/fault-plan.ts';
import { createStatsRecorder } from '../http/stats.ts';
import { createRandom, createSampleData, daysSinceReference } from '../sample/sample-data.ts';
import { loadIdentity } from '../state/database.ts';
import { createSampleUsers, createTokenStore } from '../state/tokens.ts';
import { createServiceState, createUploadStore } from '../state/uploads.ts';
import type { StorageKind } from '../storage/kind.ts';
import { createPlain } from '../storage/plain.ts';

const ttlS = z.int().positive();

const SandboxOptionsSchema = z.strictObject({
  /** The TCP port on 127.0.0.1; any free one if 0 or absent. */
  port: z.int().min(0).max(65_535).default(0),
  /**
   * The folder that keeps tokens, uploads and changed assignments between runs. If absent, they are in memory and in a
   * temporary folder, which is removed when the sandbox closes.
   */
  stateDir: z.string().min(1).optional(),
  /** The number of sample protocols. If absent, the number stored in `stateDir`, or 240 for a new state. */
  protocols: z.int().positive().max(1_000_000).optional(),
  /**
   * The seed of the sample data and of faults with a probability. If absent, the seed stored in `stateDir`, or 1 for a
   * new state.
   */
  seed: z.int().nonnegative().optional(),
  /**
   * Whether the sample assignments are around a fixed day or around today. With `fixed`, a seed gives the same data on
   * any day.
   */
  dates: z.enum(['fixed', 'today']).default('fixed'),
  faults: FaultRules.default([]),
  /** `page` shows the consent page; `auto` allows every valid request immediately. */
  consent: z.enum(['page', 'auto']).default('page'),
  accessTokenTtlS: ttlS.default(3600),
  refreshTokenTtlS: ttlS.default(30 * 24 * 3600),
  signedUrlTtlS: ttlS.default(900),
  /**
   * The base URL of another storage; signed URLs point to `/storage/{Key}` below it. Absent for the sandbox's own
   * storage.
   */
  storageBaseUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** The kind of storage; `createPlain` if absent. Tests use other kinds. */
  storage: z.custom<StorageKind>((value) => typeof value === 'object').optional(),
  pageSize: z.int().positive().max(1000).default(50),
  /**
   * The maximum size of an upload. The storage refuses larger uploads; the sandbox's own storage responds with status
   * 413.
   */
  maxObjectBytes: z
    .int()
    .positive()
    .default(5 * 1024 ** 3),
  /** Whether only the size and the hash of an uploaded object are stored, and not its bytes. */
  discardsContent: z.boolean().default(false),
  /** The client ids that can sign in. The first one is reported when the sandbox starts. */
  clientIds: z.tuple([z.string().min(1)], z.string().min(1)).default(['inspection-desk']),
  /** The redirect URIs that the client may use, possibly with `/*` at the end (`isRegisteredRedirect`). */
  redirectUris: z
    .array(z.url())
    .readonly()
    .default(['com.inspectiondesk.app:/oauth/callback', 'http://127.0.0.1/*', 'http://[::1]/*']),
  /** The secret of the control endpoints; a random one if absent. */
  controlToken: z
    .string()
    .min(16)
    .default(() => randomBytes(24).toString('base64url')),
  /** Returns the current time, in ms since 1970. */
  clock: z.custom<() => number>((value) => typeof value === 'function').default(() => Date.now),
});

export type SandboxOptions = z.input<typeof SandboxOptionsSchema>;

export type SandboxSettings = z.output<typeof SandboxOptionsSchema>;

/** Checks options and fills in the defaults. Throws an error with a one-line message that names the wrong option. */
export const resolveOptions = (options: unknown): SandboxSettings => {
  const parsed = SandboxOptionsSchema.safeParse(options);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${issue?.path.join('.') || 'options'}: ${issue?.message}`);
};

/** An open database, and a folder for objects. `baseUrl`: the URL at which the sandbox is served. */
type Place = {
  readonly baseUrl: string;
  readonly database: DatabaseSync;
  readonly objectsDir: string;
  /** Aborted when the sandbox closes. */
  readonly closing: AbortSignal;
};

export type Service = ReturnType<typeof createService>;

export const createService = (settings: SandboxSettings, { baseUrl, database, objectsDir, closing }: Place) => {
  let advancedMs = 0;
  const now = (): number => settings.clock() + advancedMs;

  const { secret, storageSecret, seed, protocols } = loadIdentity(database, settings);
  const sample = createSampleData(seed, protocols, settings.dates === 'today' ? daysSinceReference(now()) : 0);
  const uploads = createUploadStore(database, objectsDir, now, settings.discardsContent);
  const users = createSampleUsers();
  const tokens = createTokenStore(database, { ...settings, secret, now, subject: () => users.present().sub });
  const faults = createFaultPlan(createRandom(seed, 'faults'));
  faults.add(settings.faults);
  const stats = createStatsRecorder();
  return {
    settings,
    baseUrl,
    now,
    advanceClock: (byMs: number): void => {
      advancedMs += byMs;
    },
    sample,
    uploads,
    users,
    tokens,
    faults,
    stats,
    state: createServiceState(database, sample, uploads),
    watch: createWatch(stats, faults, { now, revokeAccess: tokens.revokeAccess, closing }),
    kind: settings.storage ?? createPlain(storageSecret),
  };
};
