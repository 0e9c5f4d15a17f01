/**
 * Transfers one file to every kind of storage, in every size, with every fault and every option. The storage checks
 * everything that its service documents, and the file meets one fault. The outcome, the numbers of requests and
 * signatures, and the stored content are compared with what the nature of the fault requires.
 */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { unlimited } from '../../src/main/async/testing/unlimited.ts';
import { createStorageAgent } from '../../src/main/net/connector.ts';
import { createHostHealth } from '../../src/main/net/host-health.ts';
import type { Item } from '../../src/main/uploads/ledger/items.ts';
import { openLedger } from '../../src/main/uploads/ledger/ledger.ts';
import { addBatch } from '../../src/main/uploads/ledger/testing/ledger.ts';
import { PART_BYTES } from '../../src/main/uploads/source/hasher.ts';
import { WHOLE_BYTES } from '../../src/main/uploads/source/local-file.ts';
import { createTestOpen } from '../../src/main/uploads/source/testing/hasher.ts';
import { SEND_TIMEOUTS } from '../../src/main/uploads/storage/put-file.ts';
import { createTestContext } from '../../src/main/uploads/transfer/testing/context.ts';
import { transferFile } from '../../src/main/uploads/transfer/transfer.ts';
import { STEP_RETRY } from '../../src/main/uploads/transfer/transfer-machine.ts';
import { documentedErrors } from '../storages/documented-errors.ts';
import { errorOf } from '../storages/test-storage.ts';
import { useAzurite } from './support/azurite.ts';
import type { LineFault } from './support/faulty-line.ts';
import { bytes, makeFolder, sha256 } from './support/folders.ts';
import {
  type Signature,
  type SignedStorage,
  startAzureStorage,
  startSandboxStorage,
} from './support/signed-storages.ts';

/** The storages of the sandbox accept no larger object. */
const MOST_BYTES = 4 * 1024 * 1024;

const azurite = useAzurite();

/**
 * The properties of a kind of storage. `md5`: `sure` if its responses contain the MD5 of the file, `likely` if they
 * contain a value that may be the MD5, otherwise `none`.
 */
type Traits = {
  readonly start: () => Promise<SignedStorage>;
  /**
   * The documented errors. If another kind has the same documented errors, only one of the two kinds lists them, so
   * that each error is tested once.
   */
  readonly errors: Readonly<Record<string, unknown>>;
  readonly md5: 'sure' | 'likely' | 'none';
  /** Whether its responses contain something that a proxy does not send. */
  readonly hasProof: boolean;
  /** Whether its URLs say when they expire. */
  readonly tellsEnd: boolean;
  /** Whether it is known how the storage refuses a URL that is not valid yet. */
  readonly isEarlyRefused: boolean;
};

const ofS3 = { errors: documentedErrors('s3'), hasProof: true, tellsEnd: true, isEarlyRefused: true } as const;
const ofPlain = { errors: documentedErrors('plain'), hasProof: false, tellsEnd: false, isEarlyRefused: false } as const;

const dialects = {
  s3: {
    ...ofS3,
    md5: 'sure',
    start: () => startSandboxStorage('s3', 'https://s3.eu-north-1.amazonaws.com', MOST_BYTES),
  },
  'like S3': {
    ...ofS3,
    errors: {},
    md5: 'likely',
    start: () => startSandboxStorage('s3', 'https://minio.example.com:9000', MOST_BYTES),
  },
  google: {
    errors: documentedErrors('google'),
    hasProof: true,
    tellsEnd: true,
    isEarlyRefused: false,
    md5: 'sure',
    start: () => startSandboxStorage('google', 'https://storage.googleapis.com', MOST_BYTES),
  },
  azure: {
    errors: documentedErrors('azure'),
    hasProof: true,
    tellsEnd: true,
    isEarlyRefused: true,
    md5: 'sure',
    start: () => startAzureStorage(azurite),
  },
  plain: {
    ...ofPlain,
    md5: 'likely',
    start: () => startSandboxStorage('plain', 'https://files.example.com', MOST_BYTES),
  },
  bare: {
    ...ofPlain,
    errors: {},
    md5: 'none',
    start: () => startSandboxStorage('bare', 'https://files.example.com', MOST_BYTES),
  },
} as const satisfies Readonly<Record<string, Traits>>;

type Dialect = keyof typeof dialects;
const traitsOf = (dialect: Dialect): Traits => dialects[dialect];

// The sizes: empty, one byte, the maximum that is read as a whole, and sizes that are streamed in one part, in two and
// in several.

const LARGE_BYTES = 3 * 1024 * 1024 + 5;
const SIZES = [0, 1, WHOLE_BYTES, WHOLE_BYTES + 1, PART_BYTES + 1, LARGE_BYTES] as const;
/** The smallest size that is read while it is sent. */
const STREAMED = WHOLE_BYTES + 1;
const TWO_SIZES: readonly number[] = [WHOLE_BYTES, STREAMED];

// The options: how the file is sent, or how often and when the fault is met.

const SENDING = [
  /** A speed limit, because of which the file is sent in small parts. */
  'limited',
  /** The storage has already sent the MD5 of another file. */
  'MD5 known',
  /** The service also signs the MD5 of the content. */
  'MD5 signed',
  /** The SAS permits the creation of a blob, but not overwriting one. */
  'may only create',
] as const;
const MEETING = [
  /** An earlier run was interrupted while it sent the file, and no byte arrived. */
  'continued',
  /** Every request meets the fault. */
  'always',
  /** The URL has expired after the fault. */
  'then expired',
] as const;
type Option = 'as it is' | (typeof SENDING)[number] | (typeof MEETING)[number];

const appliesTo = (option: Option, dialect: Dialect): boolean => {
  if (option === 'MD5 known') return traitsOf(dialect).md5 !== 'none';
  if (option === 'MD5 signed') return ['s3', 'like S3', 'google'].includes(dialect);
  return option !== 'may only create' || dialect === 'azure';
};

/** The effect of a fault on the file that meets it. */
type Nature =
  | { readonly next: 'stored' }
  /**
   * The file has to be sent again. `isUnclear`: the app cannot know whether the storage has the file; `holds`: what the
   * storage has.
   */
  | {
      readonly next: 'again';
      readonly isUnclear: boolean;
      readonly error: string;
      readonly holds?: Held;
      readonly isLasting?: boolean;
    }
  /** The URL has expired. `isTold`: the URL itself says so. */
  | { readonly next: 'sign'; readonly isTold?: boolean }
  /** The URL cannot be used; with `isFinal`, the file cannot be uploaded at all. */
  | { readonly next: 'fail'; readonly error: string; readonly isFinal?: boolean }
  /** The app cannot notice the fault. */
  | { readonly next: 'believed'; readonly holds: Held };

type Held = 'the file' | 'nothing' | 'something else';

type Case = { readonly dialect: Dialect; readonly sizeBytes: number; readonly option: Option };

type Fault = {
  readonly name: string;
  /**
   * Where the fault occurs: in the body, elsewhere on the line, or in the URL; or an error of the service, by the time
   * of its response.
   */
  readonly of: 'body' | 'line' | 'url' | 'error at once' | 'error' | 'error like another';
  readonly appliesTo: (at: Case) => boolean;
  readonly nature: (at: Case) => Nature;
  readonly onLine?: (storage: SignedStorage) => LineFault;
  readonly signed?: (nowMs: number) => Partial<Signature>;
  readonly changed?: (url: string) => string;
};

const always = (): boolean => true;
const isWhole = ({ sizeBytes }: Case): boolean => sizeBytes <= WHOLE_BYTES;
const lost = (holds: Held = 'nothing'): Nature => ({
  next: 'again',
  isUnclear: true,
  error: 'upload/interrupted',
  holds,
});
const silence = (holds: Held = 'nothing'): Nature => ({
  next: 'again',
  isUnclear: true,
  error: 'upload/unanswered',
  holds,
});

/** Returns the effect of a changed byte. It depends on whether the request or the response has a checksum. */
const natureOfChange = (at: Case): Nature => {
  const { md5 } = traitsOf(at.dialect);
  const isSent = (at.dialect === 'azure' && isWhole(at)) || at.option === 'MD5 signed';
  if (isSent) return { next: 'again', isUnclear: false, error: 'upload/damaged' };
  if (md5 === 'sure' || (md5 === 'likely' && at.option === 'MD5 known'))
    return { next: 'again', isUnclear: true, error: 'upload/damaged', holds: 'something else' };
  return { next: 'believed', holds: 'something else' };
};

const natureOfSwallowing = ({ dialect, option }: Case): Nature =>
  traitsOf(dialect).hasProof || option === 'MD5 known'
    ? { next: 'again', isUnclear: true, error: 'upload/unproven' }
    : { next: 'believed', holds: 'nothing' };

const lineFaults: readonly Fault[] = [
  { name: 'none', of: 'body', appliesTo: always, nature: () => ({ next: 'stored' }) },
  ...(
    [
      ['cut before the body', 'line', 'head', 0, 'nothing'],
      ['cut within the body', 'body', 'body', 2, 'nothing'],
      ['cut before the last byte', 'body', 'last-byte', 1, 'nothing'],
      ['cut after the body', 'line', 'received', 0, 'nothing'],
      ['response lost', 'body', 'stored', 0, 'the file'],
      ['response cut', 'line', 'response', 0, 'the file'],
    ] as const
  ).map(([name, of, at, leastBytes, holds]) => ({
    name,
    of,
    appliesTo: ({ sizeBytes }: Case) => sizeBytes >= leastBytes,
    nature: () => lost(holds),
    onLine: () => ({ type: 'cut', at }) as const,
  })),
  {
    name: 'silent',
    of: 'line',
    appliesTo: always,
    nature: () => silence(),
    onLine: () => ({ type: 'silent', at: 'received' }),
  },
  {
    name: 'stored, silent',
    of: 'line',
    appliesTo: always,
    nature: () => silence('the file'),
    onLine: () => ({ type: 'silent', at: 'stored' }),
  },
  {
    name: 'slow',
    of: 'line',
    appliesTo: always,
    nature: () => ({ next: 'stored' }),
    onLine: () => ({ type: 'slow', ms: 50 }),
  },
  {
    name: 'a byte changed',
    of: 'body',
    appliesTo: ({ sizeBytes }) => sizeBytes > 0,
    nature: natureOfChange,
    onLine: () => ({ type: 'changed' }),
  },
  {
    name: 'swallowed',
    of: 'line',
    appliesTo: always,
    nature: natureOfSwallowing,
    onLine: () => ({ type: 'swallowed' }),
  },
];

const QUARTER_MS = 15 * 60_000;

/** Faults of the URL, which the storage itself notices. */
const urlFaults: readonly Fault[] = [
  {
    name: 'URL expired',
    of: 'url',
    appliesTo: always,
    nature: ({ dialect }) => ({ next: 'sign', isTold: traitsOf(dialect).tellsEnd }),
    signed: (nowMs) => ({ atMs: nowMs - 2 * QUARTER_MS, endMs: nowMs - QUARTER_MS }),
  },
  {
    name: 'URL not valid yet',
    of: 'url',
    appliesTo: ({ dialect }) => traitsOf(dialect).isEarlyRefused,
    nature: () => ({ next: 'again', isUnclear: false, error: 'upload/not-yet-valid', isLasting: true }),
    signed: (nowMs) => ({ atMs: nowMs + 2 * QUARTER_MS, endMs: nowMs + 3 * QUARTER_MS }),
  },
  {
    name: 'URL changed',
    of: 'url',
    appliesTo: always,
    nature: () => ({ next: 'fail', error: 'upload/denied' }),
    changed: (url) =>
      url.replace(/(signature|sig)=([^&]{4})/i, (_, name, start) => `${name}=${start === '0000' ? '1111' : '0000'}`),
  },
  {
    name: 'no permission to write',
    of: 'url',
    appliesTo: ({ dialect }) => dialect === 'azure',
    nature: () => ({ next: 'fail', error: 'upload/denied' }),
    signed: () => ({ permissions: 'r' }),
  },
  {
    name: 'Content-Type signed',
    of: 'url',
    appliesTo: ({ dialect }) => ['s3', 'like S3', 'google'].includes(dialect),
    nature: ({ dialect }) => ({ next: 'fail', error: dialect === 'google' ? 'upload/refused' : 'upload/denied' }),
    signed: () => ({ headers: { 'content-type': 'image/jpeg' } }),
  },
];

/** The meaning of each documented code: whether the same request may succeed later, and what is at fault. */
const codes: readonly (readonly [nature: Nature, names: readonly string[]])[] = [
  [
    { next: 'again', isUnclear: false, error: 'upload/damaged' },
    ['BadDigest', 'InvalidDigest', 'CrcMismatch', 'Md5Mismatch', 'InvalidMd5', 'XAmzContentSHA256Mismatch'],
  ],
  [
    { next: 'again', isUnclear: true, error: 'upload/storage-failed' },
    ['InternalError', 'OperationTimedOut', 'NotImplemented'],
  ],
  [
    { next: 'again', isUnclear: false, error: 'service/busy' },
    ['OperationAborted', 'ServiceUnavailable', 'SlowDown', 'ServerBusy', 'TooManyRequests'],
  ],
  [{ next: 'again', isUnclear: false, error: 'upload/stalled' }, ['RequestTimeout', 'IncompleteBody']],
  [{ next: 'again', isUnclear: false, error: 'upload/not-yet-valid' }, ['RequestTimeTooSkewed']],
  [{ next: 'sign' }, ['ExpiredToken']],
  [
    { next: 'fail', error: 'upload/denied' },
    [
      ...['AccessDenied', 'AccountIsDisabled', 'AccountProblem', 'AuthenticationFailed', 'InvalidAccessKeyId'],
      ...['AuthorizationPermissionMismatch', 'InsufficientAccountPermissions', 'InvalidToken'],
      ...['SignatureDoesNotMatch', 'UnauthorizedBlobOverwrite', 'UserProjectAccountProblem'],
    ],
  ],
  [{ next: 'fail', error: 'upload/too-large', isFinal: true }, ['EntityTooLarge', 'RequestBodyTooLarge']],
  [
    { next: 'fail', error: 'upload/refused' },
    [
      ...['AuthorizationQueryParametersError', 'ContainerNotFound', 'InvalidArgument', 'InvalidRequest'],
      ...['MalformedSecurityHeader', 'MissingContentLength', 'MissingContentLengthHeader', 'NoSuchBucket'],
    ],
  ],
];
const natureOfCode = new Map(codes.flatMap(([nature, names]) => names.map((name) => [name, nature] as const)));

/**
 * Returns each documented error of a storage twice: as a response before and after the body. An error after which the
 * file may be stored is also returned as a response after the file is stored.
 */
const errorFaults = (dialect: Dialect): readonly Fault[] => {
  const natures = new Set<Nature>();
  return Object.keys(traitsOf(dialect).errors).flatMap((code) => {
    const nature = natureOfCode.get(code);
    if (!nature) throw new Error(`nothing is known of ${code}`);
    const isLikeAnother = natures.has(nature);
    natures.add(nature);
    const places = [
      [' at once', 'head', 'nothing'],
      ['', 'received', 'nothing'],
      ...(nature.next === 'again' && nature.isUnclear ? ([[', stored', 'stored', 'the file']] as const) : []),
    ] as const;
    return places.map(
      ([words, at, holds]): Fault => ({
        name: `${code}${words}`,
        of: at === 'head' ? 'error at once' : isLikeAnother ? 'error like another' : 'error',
        appliesTo: always,
        nature: () => (nature.next === 'again' ? { ...nature, holds } : nature),
        onLine: ({ errors }) => ({ type: 'error', at, error: errorOf(errors, code) }),
      }),
    );
  });
};

const tooLarge: Fault = {
  name: 'above the limit',
  of: 'body',
  appliesTo: always,
  nature: () => ({ next: 'fail', error: 'upload/too-large', isFinal: true }),
};

type Variation = Case & { readonly fault: Fault };

/** Returns the cases in which a fault is met. */
const casesOf = (fault: Fault): readonly Omit<Case, 'dialect'>[] => {
  const combine = (sizes: readonly number[], options: readonly Option[]) =>
    sizes.flatMap((sizeBytes) => options.map((option) => ({ sizeBytes, option })));
  switch (fault.of) {
    case 'body':
      return [...combine(SIZES, ['as it is']), ...combine(TWO_SIZES, SENDING), ...combine([STREAMED], MEETING)];
    case 'line':
      return [...combine([0, ...TWO_SIZES], ['as it is']), ...combine([STREAMED], [...SENDING, ...MEETING])];
    case 'url':
      return [...combine(TWO_SIZES, ['as it is']), ...combine([STREAMED], MEETING)];
    case 'error at once':
      return combine([STREAMED], ['as it is']);
    case 'error':
      return combine([1], ['as it is', ...MEETING]);
    case 'error like another':
      return combine([1], ['as it is']);
  }
};

const variationsOf = (dialect: Dialect): readonly Variation[] => {
  const met = [...lineFaults, ...urlFaults, ...errorFaults(dialect)].flatMap((fault) =>
    casesOf(fault)
      .map((at) => ({ ...at, dialect, fault }))
      .filter((at) => appliesTo(at.option, dialect) && fault.appliesTo(at)),
  );
  // Azurite is left out, because its limit is that of Azure: 5,000 MiB.
  const above = { dialect, sizeBytes: MOST_BYTES + 1, fault: tooLarge } as const;
  return dialect === 'azure' ? met : [...met, { ...above, option: 'as it is' }, { ...above, option: 'continued' }];
};

type Outcome = {
  readonly ends: string;
  readonly sends: number;
  readonly signs: number;
  readonly removes: boolean;
  readonly holds: Held | 'the file twice';
};

const { attempts } = STEP_RETRY;

/** Returns the expected outcome of a variation, from the nature of its fault and from its option. */
const expectedOf = (variation: Variation): Outcome => {
  const { option, fault } = variation;
  const nature = fault.nature(variation);
  const isContinued = option === 'continued';
  const done = (sends: number, signs: number, removes = false, holds: Held = 'the file'): Outcome => ({
    ends: 'done',
    sends,
    signs: signs - Number(isContinued),
    removes,
    holds,
  });
  const failed = (error: string, sends: number, signs: number, holds: Held, removes = false): Outcome => ({
    ...done(sends, signs, removes, holds),
    ends: error,
  });
  switch (nature.next) {
    case 'stored':
      return done(1, 1);
    case 'believed':
      return done(1, 1, false, nature.holds);
    case 'again': {
      const { error, isUnclear, isLasting, holds = 'nothing' } = nature;
      if (option === 'then expired') return done(3, 2, isUnclear);
      // A file with other content must not stay on the assignment.
      if (holds === 'something else' && option === 'always') return failed(error, attempts, 1, 'nothing', true);
      if (isLasting || option === 'always') return failed(error, attempts, 1, holds);
      // Such a SAS cannot overwrite a blob, so the blob is removed, and another URL is requested.
      if (option === 'may only create' && holds !== 'nothing') return done(3, 2, true);
      return done(2, 1);
    }
    case 'sign': {
      if (option === 'always' || option === 'then expired') return failed('upload/url-expired', 2, 2, 'nothing');
      return isContinued && nature.isTold ? done(1, 2, true) : done(2, 2, isContinued);
    }
    case 'fail':
      return isContinued && !nature.isFinal ? done(2, 2, true) : failed(nature.error, 1, 1, 'nothing');
  }
};

const contents = new Map([...SIZES, MOST_BYTES + 1].map((size) => [size as number, bytes(size)]));
const sums = new Map(
  [...contents].map(([size, content]) => [
    size,
    { sha256: sha256(content), md5: createHash('md5').update(content).digest('base64') },
  ]),
);

const open = createTestOpen();
const agent = createStorageAgent();
afterAll(() => agent.destroy());

/** The number of transfers that run concurrently. */
const ABREAST = 16;
/** The timeout for a response that never comes. A busy storage has to store the file within this time. */
const BRIEF_MS = 400;

/** Makes one transfer. Resolves to its outcome, except for the content of the storage, and to the Keys that it used. */
const run = async (
  variation: Variation,
  {
    item,
    batch,
    ledger,
    storage,
    folder,
  }: {
    readonly item: Item;
    readonly batch: string;
    readonly ledger: ReturnType<typeof openLedger>;
    readonly storage: SignedStorage;
    readonly folder: string;
  },
): Promise<Omit<Outcome, 'holds'> & { readonly keys: readonly string[] }> => {
  const { option, fault, sizeBytes } = variation;
  const { line } = storage;
  const faulty = fault.onLine?.(storage);
  const expired = { type: 'error', at: 'received', error: storage.expired } as const;
  const script: (LineFault | undefined)[] =
    option === 'always' ? Array(2 * attempts).fill(faulty) : option === 'then expired' ? [faulty, expired] : [faulty];
  const keys: string[] = [];
  let signs = 0;
  let removes = false;
  const md5 = option === 'MD5 signed' ? { 'content-md5': sums.get(sizeBytes)?.md5 ?? '' } : {};
  const signNext = async (): Promise<{ readonly Key: string; readonly Url: string }> => {
    const { key, sign } = await storage.newKey(item.fileName);
    const nowMs = Math.floor(Date.now() / 1000) * 1000;
    const isMet = keys.length === 0 || option === 'always';
    const signed = isMet ? (fault.signed?.(nowMs) ?? {}) : {};
    const url = await sign({
      atMs: nowMs,
      endMs: nowMs + QUARTER_MS,
      ...(option === 'may only create' && { permissions: 'c' }),
      ...signed,
      headers: { ...md5, ...signed.headers },
    });
    keys.push(key);
    return { Key: key, Url: isMet ? (fault.changed?.(url) ?? url) : url };
  };
  if (option === 'continued') {
    const { Key, Url } = await signNext();
    await ledger.commit(() => ledger.items.sending(item.id, Key, Url, Date.now()));
  }
  let sends = 0;
  let met: LineFault | undefined;
  const here = line.leadHere(agent, () => {
    sends += 1;
    met = script.shift();
    return met;
  });
  // Only a request that meets silence has a short timeout, because this machine may be slow.
  const timeouts = {
    ...SEND_TIMEOUTS,
    get responseMs() {
      return met?.type === 'silent' ? BRIEF_MS : SEND_TIMEOUTS.responseMs;
    },
  };
  const md5Origins = new Map<string, boolean>();
  const context = createTestContext({
    ledger,
    open,
    md5Origins,
    storage: here,
    service: {
      signUpload: async ({ AssignmentId }) => {
        const signed = await signNext();
        signs += 1;
        if (option === 'MD5 known') md5Origins.set(new URL(signed.Url).origin, true);
        return { AssignmentId, ...signed };
      },
      removeFile: (request) => {
        removes = true;
        return storage.removeFile(request);
      },
    },
    health: createHostHealth({ probe: async () => {} }),
    limit: option === 'limited' ? { partBytes: () => 10_000, take: async () => {} } : unlimited,
    timeouts,
    now: Date.now,
    // Replaces the two seconds for which the app waits for late requests.
    sleep: async () => void (await line.quiet()),
    pause: async () => {},
  });
  const { signal } = new AbortController();
  const settled = await transferFile(context, {
    item: ledger.items.get(item.id) ?? item,
    batch: {
      connectionId: 'connection',
      assignmentId: 'assignment',
      id: batch,
      uploadId: 'upload',
      nameTemplate: '{name}',
      onClash: 'rename',
      root: folder,
    },
    within: folder,
    onBytes: () => {},
    onWaiting: () => {},
    slot: { take: async () => {}, tryPark: () => undefined, park: () => async () => {}, release: () => {} },
    waitSignal: signal,
    signal,
  });
  return { ends: 'error' in settled ? settled.error.code : settled.state, sends, signs, removes, keys };
};

const nameOf = ({ sizeBytes, fault, option }: Variation): string => `${fault.name}, ${sizeBytes} bytes, ${option}`;

const heldOf = (variation: Variation, keys: readonly string[], held: ReadonlyMap<string, string>): Outcome['holds'] => {
  const objects = keys.flatMap((key) => held.get(key) ?? []);
  if (objects.length === 0) return 'nothing';
  const { sha256: expected } = sums.get(variation.sizeBytes) ?? {};
  if (!objects.every((object) => object === expected)) return 'something else';
  return objects.length === 1 ? 'the file' : 'the file twice';
};

// The table of the results: how many variations ended as they should, done or failed.

type Cell = { done: number; failed: number };
const table = new Map<string, Map<Dialect, Cell>>();

/** Returns the row of the table. All errors of the service that lead to the same error of the app share a row. */
const rowOf = (variation: Variation): string => {
  const { fault } = variation;
  const nature = fault.nature(variation);
  if (!fault.of.startsWith('error')) return fault.name;
  return `error: ${'error' in nature ? nature.error : 'upload/url-expired'}`;
};

const count = (variation: Variation, ends: string): void => {
  const row = table.get(rowOf(variation)) ?? new Map<Dialect, Cell>();
  const cell = row.get(variation.dialect) ?? { done: 0, failed: 0 };
  cell[ends === 'done' ? 'done' : 'failed'] += 1;
  table.set(rowOf(variation), row.set(variation.dialect, cell));
};

afterAll(() => {
  const names = Object.keys(dialects) as Dialect[];
  const lines = [...table].map(([fault, row]) => [
    fault.padEnd(30),
    ...names.map((name) => {
      const { done, failed } = row.get(name) ?? { done: 0, failed: 0 };
      return (done + failed === 0 ? '' : `${done} + ${failed}`).padStart(9);
    }),
  ]);
  const head = ['done + failed'.padEnd(30), ...names.map((name) => name.padStart(9))];
  const cells = [...table.values()].flatMap((row) => [...row.values()]);
  const sum = cells.reduce((all, { done, failed }) => all + done + failed, 0);
  process.stdout.write(`${[head, ...lines].map((line) => line.join('')).join('\n')}\n${sum} variations\n`);
});

test.each(Object.keys(dialects) as Dialect[])(
  '%s: every variation ends as its fault demands, and the storage holds the file once',
  async (dialect) => {
    const storage = await traitsOf(dialect).start();
    const ledger = openLedger(':memory:');
    try {
      const folder = makeFolder(Object.fromEntries(contents));
      const variations = variationsOf(dialect);

      const { files, batch } = await addBatch(
        ledger,
        variations.map(({ sizeBytes }, index) => ({
          path: `${sizeBytes}`,
          fileName: `file-${index}`,
          sizeBytes,
          modifiedMs: statSync(join(folder, `${sizeBytes}`)).mtimeMs,
        })),
        { root: folder },
      );
      const results: [Variation, Omit<Outcome, 'holds'>, readonly string[]][] = [];
      const queue = variations.map((variation, index) => [variation, files[index] as Item] as const);
      await Promise.all(
        Array.from({ length: ABREAST }, async () => {
          for (let next = queue.shift(); next; next = queue.shift()) {
            const [variation, item] = next;
            const { keys, ...outcome } = await run(variation, { item, batch, ledger, storage, folder });
            results.push([variation, outcome, keys]);
          }
        }),
      );
      await storage.line.quiet();
      const held = await storage.held(results.flatMap(([, , keys]) => keys));
      const seen = results.map(
        ([variation, outcome, keys]) => [variation, { ...outcome, holds: heldOf(variation, keys, held) }] as const,
      );
      for (const [variation, { ends }] of seen) count(variation, ends);
      expect(Object.fromEntries(seen.map(([variation, outcome]) => [nameOf(variation), outcome]))).toEqual(
        Object.fromEntries(variations.map((variation) => [nameOf(variation), expectedOf(variation)])),
      );
    } finally {
      ledger.close();
      await storage.close();
    }
  },
);
