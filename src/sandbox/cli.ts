/** The sandbox's flags, parsed. */

import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { FaultRules } from './faults/fault-plan.ts';
import { storageDialects } from './storage/kinds.ts';

/** Flags of the sandbox, as `--help` shows them. */
export const sandboxUsage = `Usage: sandbox [options]

  --port N                  port on 127.0.0.1 (default: any free one)
  --state DIR               keep everything in this folder (default: in memory)
  --protocols N             number of sample protocols (default 240)
  --seed N                  seed of the sample data (default 1)
  --dates fixed|today       assignments around a fixed day, or around today (default fixed)
  --faults FILE.json        fault rules from the start (see src/sandbox/README.md)
  --consent page|auto       show the consent page, or allow at once (default page)
  --access-token-ttl S      seconds an access token lives (default 3600)
  --refresh-token-ttl S     seconds a refresh token lives (default 2592000)
  --signed-url-ttl S        seconds a signed Url can be used (default 900)
  --storage-base-url URL    sign Urls of another storage: URL/storage/{Key} (default: the sandbox's own)
  --storage-dialect NAME    plain, bare, s3, google, azure: signatures, checks and answers like theirs (default plain)
  --page-size N             protocols in a page (default 50)
  --max-object-bytes N      largest upload (default 5368709120)
  --client-id ID            accepted client, repeatable (default inspection-desk)
  --redirect-uri URI        accepted redirect, repeatable (default: the app's scheme, loopback)
  --control-token SECRET    secret of the control endpoints (default: a new one)
  --parent-stdin            stop when standard input ends
  --help`;

/** The parsed flags. `faultFile` is a path that has not been read yet. */
export type SandboxCommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly message: string }
  | {
      readonly kind: 'start';
      readonly settings: SandboxSettings;
      readonly faultFile: string | undefined;
      readonly stopsWithStdin: boolean;
    };

/** The setting that each flag sets, and how its text is read. */
const settingOf = {
  port: ['port', Number],
  state: ['stateDir', String],
  protocols: ['protocols', Number],
  seed: ['seed', Number],
  dates: ['dates', String],
  consent: ['consent', String],
  'access-token-ttl': ['accessTokenTtlS', Number],
  'refresh-token-ttl': ['refreshTokenTtlS', Number],
  'signed-url-ttl': ['signedUrlTtlS', Number],
  'storage-base-url': ['storageBaseUrl', String],
  'storage-dialect': ['storageDialect', String],
  'page-size': ['pageSize', Number],
  'max-object-bytes': ['maxObjectBytes', Number],
  'control-token': ['controlToken', String],
} as const satisfies Readonly<
  Record<string, readonly [setting: keyof SandboxOptions, read: (text: string) => unknown]>
>;

const textFlags = Object.fromEntries(Object.keys(settingOf).map((flag) => [flag, { type: 'string' } as const]));

/** Reads the flags (without the program's name); nothing is opened or started yet. */
export const parseSandboxArgs = (args: readonly string[]): SandboxCommand => {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        ...textFlags,
        faults: { type: 'string' },
        'client-id': { type: 'string', multiple: true },
        'redirect-uri': { type: 'string', multiple: true },
        'parent-stdin': { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
    if (values.help === true) return { kind: 'help' };
    const given = Object.entries(settingOf).map(([flag, [setting, read]]) => {
      const text = (values as Readonly<Record<string, unknown>>)[flag];
      return [setting, typeof text === 'string' ? read(text) : undefined];
    });
    const settings = resolveOptions({
      ...Object.fromEntries(given),
      clientIds: values['client-id'],
      redirectUris: values['redirect-uri'],
    });
    return { kind: 'start', settings, faultFile: values.faults, stopsWithStdin: values['parent-stdin'] ?? false };
  } catch (error) {
    return { kind: 'wrong', message: error instanceof Error ? error.message : String(error) };
  }
};

// The settings of a sandbox, with their defaults.

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
  /** The day around which the sample assignments are. `fixed`: the same seed gives the same data on any day. */
  dates: z.enum(['fixed', 'today']).default('fixed'),
  faults: FaultRules.default([]),
  /** `page` shows the consent page; `auto` allows every valid request at once. */
  consent: z.enum(['page', 'auto']).default('page'),
  accessTokenTtlS: ttlS.default(3600),
  refreshTokenTtlS: ttlS.default(30 * 24 * 3600),
  signedUrlTtlS: ttlS.default(900),
  /** Base URL of another storage; signed URLs point to `/storage/{Key}` below it. Absent: the sandbox's storage. */
  storageBaseUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** The kind of storage: it decides about signed URLs, checks and responses. */
  storageDialect: z.enum(storageDialects).default('plain'),
  /**
   * The account whose signatures the storage accepts: an access key and its secret, or an account and its RSA key in
   * PEM.
   */
  storageAccount: z.strictObject({ id: z.string().min(1), key: z.string().min(1) }).optional(),
  /** Protocols in a page of the list. */
  pageSize: z.int().positive().max(1000).default(50),
  /** Larger uploads are refused: `s3` and `google` respond with 400, the other dialects with 413. */
  maxObjectBytes: z
    .int()
    .positive()
    .default(5 * 1024 ** 3),
  /** The first one is reported when the sandbox starts. */
  clientIds: z.tuple([z.string().min(1)], z.string().min(1)).default(['inspection-desk']),
  /** The entries that `isRegisteredRedirect` compares with a redirect_uri. */
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

/** The options of `startSandbox`; all of them can be left out. */
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
