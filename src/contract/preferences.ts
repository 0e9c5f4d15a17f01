/** The settings of users and organisations, and the stored state of the window. */
import { z } from 'zod';
import { call } from './call.ts';
import { isLoopback } from './connection.ts';
import { Hours, LeaveRoom, UploadLimit } from './hours.ts';
import { TimeBase } from './resources.ts';
import { AutomaticReceipt } from './uploads.ts';

// A page may pass anything in place of JSON: cyclic values, deeply nested values, or a million references to one
// object.

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

const MAX_LENGTH = 4096;
const MAX_DEPTH = 32;

/**
 * Whether `value` is JSON of at most 4,096 characters and 32 levels. A cyclic or huge value does not delay the check,
 * because each value in it takes at least one of the characters.
 */
const isSmallJson = (value: unknown): value is Json => {
  let left = MAX_LENGTH;
  const fits = (one: unknown, depth: number): boolean => {
    left -= 1;
    if (left < 0) return false;
    if (typeof one === 'string') return one.length <= MAX_LENGTH;
    if (typeof one === 'number') return Number.isFinite(one);
    if (one === null || typeof one === 'boolean') return true;
    if (typeof one !== 'object' || depth === 0) return false;
    if (Array.isArray(one)) return one.length <= left && Array.from(one).every((item) => fits(item, depth - 1));
    const prototype: unknown = Object.getPrototypeOf(one);
    if (prototype !== null && prototype !== Object.prototype) return false;
    return Object.entries(one).every(([name, item]) => name.length <= MAX_LENGTH && fits(item, depth - 1));
  };
  return fits(value, MAX_DEPTH) && JSON.stringify(value).length <= MAX_LENGTH;
};

/** The path of a setting that an organisation can manage. A path includes all settings below it. */
export const ManagedPath = z.enum([
  'connection.baseUrl',
  'connection.authUrl',
  'connection.clientId',
  'connection.redirectUri',
  'connection.scope',
  'network.proxy',
  'network.caFile',
  'updates.mode',
  'updates.channel',
  'updates.address',
  'desktop.tray',
  'desktop.keepUploading',
  'desktop.startAtSignIn',
  'uploads.limit',
  'uploads.leaveRoom',
  'uploads.concurrency',
  'uploads.hours',
  'uploads.waitOnBattery',
  'uploads.waitOnMetered',
  'letterhead.office',
  'letterhead.logo',
  'cache.limitMegabytes',
  'signOut.erases',
  'log.level',
  'sampleData',
]);
export type ManagedPath = z.infer<typeof ManagedPath>;

/** The address of a proxy: a scheme, a host and possibly a port. The settings never contain its password. */
const ProxyAddress = z.url({ protocol: /^(https?|socks5)$/ }).refine((address) => {
  const { username, password, pathname, search, hash } = new URL(address);
  return username + password + search + hash === '' && (pathname === '' || pathname === '/');
}, 'has more than a host and a port');

/**
 * How other machines are reached: as the system is configured (`system`), directly (`none`), or through the proxy at
 * `address` (`manual`). `exceptions`: hosts that are reached directly, such as `*.example.com`, `10.0.0.0/8` or
 * `host:port`.
 */
export const ProxySettings = z
  .object({
    mode: z.enum(['system', 'none', 'manual']),
    address: ProxyAddress.optional(),
    exceptions: z.array(z.string().min(1).max(253)).max(200).readonly().default([]),
  })
  .refine(({ mode, address }) => mode !== 'manual' || address !== undefined, { path: ['address'], error: 'missing' });
export type ProxySettings = z.infer<typeof ProxySettings>;

const AbsolutePath = z
  .string()
  .max(4096)
  .regex(/^(\/|[A-Za-z]:[\\/]|\\\\)/);

export const Network = z.object({ proxy: ProxySettings, caFile: AbsolutePath.optional() });
export type Network = z.infer<typeof Network>;

const SecureAddress = z
  .url({ protocol: /^https?$/ })
  .refine((address) => address.startsWith('https:') || isLoopback(new URL(address)), 'is not https');

/** How the app updates itself. `address`: where it downloads updates; if absent, where the app is released. */
export const Updates = z.object({
  mode: z.enum(['automatic', 'off']),
  channel: z.enum(['latest', 'beta']),
  address: SecureAddress.optional(),
});
export type Updates = z.infer<typeof Updates>;

export const Desktop = z.object({
  tray: z.boolean(),
  keepUploading: z.boolean(),
  startAtSignIn: z.boolean(),
});

/** The maximum size of the offline data, in megabytes (1,000,000 bytes). */
export const CacheLimit = z.int().min(100).max(20_000);

export const SignOutErases = z.enum(['session', 'offline-data']);

const Name = z.string().trim().min(1).max(100);

/**
 * The letterhead of receipts and reports. `logo`: a PNG or JPEG file, by its absolute path or its name in the data
 * directory. `people`: the names of the users who sign in, by the subject of their session; the key is empty for a
 * session without a subject.
 */
export const Letterhead = z.object({
  office: Name.optional(),
  logo: z.string().min(1).max(4096).optional(),
  people: z
    .record(z.string().max(255), Name)
    .refine((people) => Object.keys(people).length <= 100, 'too many')
    .default({}),
});
export type Letterhead = Readonly<z.infer<typeof Letterhead>>;

export const LogLevel = z.enum(['error', 'warn', 'info', 'debug']);
export type LogLevel = z.infer<typeof LogLevel>;

export const Language = z.enum(['en', 'sv', 'de']);
export type Language = z.infer<typeof Language>;

export const Preferences = z.object({
  appearance: z.enum(['system', 'light', 'dark']),
  language: z.enum(['system', ...Language.options]),
  /** The language whose formats of dates and numbers are used; `system`: those of the system. */
  formats: z.enum(['system', ...Language.options]),
  dateFormat: z.enum(['system', 'iso']),
  /** The number of files uploaded concurrently. `auto`: adjusted by the app. Applies from the next start of the app. */
  concurrency: z.union([z.int().min(1).max(64), z.literal('auto')]),
  uploadLimit: UploadLimit.optional(),
  leaveRoom: LeaveRoom,
  waitOnBattery: z.boolean(),
  waitOnMetered: z.boolean(),
  timeBase: TimeBase,
  /** The hours of new uploads that have no hours of their own. If absent, such uploads may be sent at any time. */
  uploadHours: Hours.optional(),
  /**
   * The kind of receipt that is saved when an upload ends, unless the user chooses another kind. If absent or `none`,
   * no receipt is saved.
   */
  uploadReceipt: AutomaticReceipt.optional(),
  /** The renderer cannot set the logo: main opens a file picker for it (`receipts.pickLogo`). */
  letterhead: Letterhead,
  network: Network,
  /** The address is left out, because the window neither shows nor sets it. */
  updates: Updates.omit({ address: true }),
  desktop: Desktop,
  cacheLimitMegabytes: CacheLimit,
  logLevel: LogLevel,
});
export type Preferences = z.infer<typeof Preferences>;

/** A key in `Views`. It begins with a letter, so that it cannot be `__proto__`. */
const ViewKey = z.string().regex(/^[a-z][\w.-]{0,63}$/i);

/** Any JSON of at most 4,096 characters, such as column widths, a sort order or the last page that was shown. */
export const ViewValue = z.custom<Json>(isSmallJson, 'not JSON, or too large');
export type ViewValue = z.infer<typeof ViewValue>;

/** The stored state of the window: at most 100 values by their keys. */
export const Views = z.record(ViewKey, ViewValue).refine((views) => Object.keys(views).length <= 100, 'too many');
export type Views = z.infer<typeof Views>;

export const preferencesCalls = {
  set: call(Preferences.partial(), z.void()),
};

export const viewCalls = {
  /** Stores a value of the window's state across restarts; `null` removes the value. */
  remember: call(z.object({ key: ViewKey, value: ViewValue }), z.void()),
};
