/** The settings of a sandbox, with their defaults. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { FaultRules } from './faults/rules.ts';
import { StorageDialect } from './state/storage-dialect.ts';

const ttlS = z.int().positive();

const SandboxOptionsSchema = z.strictObject({
  /** TCP port on 127.0.0.1; 0 or absent: any free one. */
  port: z.int().min(0).max(65_535).default(0),
  /** Folder that keeps everything between runs. Absent: memory, and a temporary folder removed on close. */
  stateDir: z.string().min(1).optional(),
  /** Number of sample protocols. Absent: as stored, 240 in a new folder. */
  protocols: z.int().positive().max(1_000_000).optional(),
  /** Seed of the sample data and of faults by probability. Absent: as stored, 1 in a new folder. */
  seed: z.int().nonnegative().optional(),
  faults: FaultRules.default([]),
  /** `page` shows the consent page; `auto` allows every proper request at once. */
  consent: z.enum(['page', 'auto']).default('page'),
  accessTokenTtlS: ttlS.default(3600),
  refreshTokenTtlS: ttlS.default(30 * 24 * 3600),
  signedUrlTtlS: ttlS.default(900),
  /** Base URL of another storage; signed URLs point to `/storage/{Key}` below it. Absent: the sandbox's storage. */
  storageBaseUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** What the signed URLs look like, and what the storage answers with. */
  storageDialect: StorageDialect.default('plain'),
  /** Protocols in a page of the list. */
  pageSize: z.int().positive().max(1000).default(50),
  /** Larger uploads are answered with 413. */
  maxObjectBytes: z
    .int()
    .positive()
    .default(5 * 1024 ** 3),
  /** The first one is reported when the sandbox starts. */
  clientIds: z.tuple([z.string().min(1)], z.string().min(1)).default(['inspection-desk']),
  /** See `isRegisteredRedirect` for what an entry can say. */
  redirectUris: z
    .array(z.url())
    .readonly()
    .default(['com.inspectiondesk.app:/oauth/callback', 'http://127.0.0.1/*', 'http://[::1]/*']),
  /** Secret of the control endpoints; absent: a new one. */
  controlToken: z
    .string()
    .min(16)
    .default(() => randomBytes(24).toString('base64url')),
  /** Milliseconds since 1970. */
  clock: z.custom<() => number>((value) => typeof value === 'function').default(() => Date.now),
});

/** What `startSandbox` takes; everything is optional. */
export type SandboxOptions = z.input<typeof SandboxOptionsSchema>;

/** Options with the defaults filled in. */
export type SandboxSettings = z.output<typeof SandboxOptionsSchema>;

/** Checks options and fills in the defaults. Throws an error with a one-line message that names the wrong option. */
export const resolveOptions = (options: unknown): SandboxSettings => {
  const parsed = SandboxOptionsSchema.safeParse(options);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${issue?.path.join('.') || 'options'}: ${issue?.message}`);
};
