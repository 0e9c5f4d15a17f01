/** Settings of the machine and its network, which a person or their organisation makes. */
import { z } from 'zod';
import { isLoopback } from './service-address.ts';

/** A setting that an organisation can make: its path in the settings. What is further below belongs to it. */
export const ManagedPath = z.enum([
  'connection.baseUrl',
  'connection.authUrl',
  'connection.clientId',
  'connection.redirectUri',
  'connection.scope',
  'connection.sendClientIdOnRefresh',
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
  'cache.limitMegabytes',
  'signOut.erases',
  'log.level',
  'sampleData',
]);
export type ManagedPath = z.infer<typeof ManagedPath>;

/** The address of a proxy: a scheme, a host and a port. Its password is never among the settings. */
const ProxyAddress = z.url({ protocol: /^(https?|socks5)$/ }).refine((address) => {
  const { username, password, pathname, search, hash } = new URL(address);
  return username + password + search + hash === '' && (pathname === '' || pathname === '/');
}, 'has more than a host and a port');

/**
 * How other machines are reached: as the system says, directly, or over the proxy at `address`. `exceptions`: hosts that
 * are reached directly, as `*.example.com`, `10.0.0.0/8` or `host:port`.
 */
export const ProxySettings = z
  .object({
    mode: z.enum(['system', 'none', 'manual']),
    address: ProxyAddress.optional(),
    exceptions: z.array(z.string().min(1).max(253)).max(200).readonly().default([]),
  })
  .refine(({ mode, address }) => mode !== 'manual' || address !== undefined, { path: ['address'], error: 'missing' });
export type ProxySettings = z.infer<typeof ProxySettings>;

/** An absolute path, on Windows or elsewhere. */
const AbsolutePath = z
  .string()
  .max(4096)
  .regex(/^(\/|[A-Za-z]:[\\/]|\\\\)/);

/** `caFile`: a PEM file with certificates that are trusted besides those of the system. */
export const Network = z.object({ proxy: ProxySettings, caFile: AbsolutePath.optional() });
export type Network = z.infer<typeof Network>;

/** An address that is reached over TLS, or on this machine. */
const SecureAddress = z
  .url({ protocol: /^https?$/ })
  .refine((address) => address.startsWith('https:') || isLoopback(new URL(address)), 'is not https');

/** `address`: where updates are, if not where the app was released. */
export const Updates = z.object({
  mode: z.enum(['automatic', 'off']),
  channel: z.enum(['latest', 'beta']),
  address: SecureAddress.optional(),
});
export type Updates = z.infer<typeof Updates>;

export const Desktop = z.object({
  /** Shows an icon in the notification area or the menu bar. */
  tray: z.boolean(),
  /** Closing the window during an upload keeps the upload running. */
  keepUploading: z.boolean(),
  startAtSignIn: z.boolean(),
});
export type Desktop = z.infer<typeof Desktop>;

/** The most that the offline data of a user takes, in megabytes (1,000,000 bytes). */
export const CacheLimit = z.int().min(100).max(20_000);

/** What a sign-out erases: the session, or also the offline data of the connection. */
export const SignOutErases = z.enum(['session', 'offline-data']);
export type SignOutErases = z.infer<typeof SignOutErases>;

/** The least important messages that are logged. */
export const LogLevel = z.enum(['error', 'warn', 'info', 'debug']);
export type LogLevel = z.infer<typeof LogLevel>;
