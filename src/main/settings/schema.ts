/** The content of settings.json, which never contains tokens. */
import { z } from 'zod';
import { Connection } from '../../contract/connection.ts';
import { Hours } from '../../contract/hours.ts';
import {
  CacheLimit,
  Desktop,
  Letterhead,
  LogLevel,
  Network,
  Preferences,
  ProxySettings,
  SignOutErases,
  Updates,
  Views,
} from '../../contract/preferences.ts';

const { appearance, language, formats, dateFormat, concurrency, timeBase, uploadLimit, leaveRoom, uploadReceipt } =
  Preferences.shape;

/** The requirements of a service at sign-in that the app has learnt; see `SignInNeeds` in `auth/token-endpoint.ts`. */
const SignInNeeds = z.object({
  clientIdOnRefresh: z.boolean().default(false),
  consentPrompt: z.boolean().default(false),
});

/** `takesBlocks`: whether the storage accepts a large file in blocks; absent: unknown. */
const Storage = z.object({ origin: z.string(), takesBlocks: z.boolean().optional() });

export const RedirectUri = z.url();

/** Every field is optional or has a default, so an empty object is a valid file. */
export const Settings = z.object({
  connection: Connection.optional(),
  redirectUri: RedirectUri.optional(),
  /**
   * The last port of the embedded sample service. The port is reused, so that the key of its connection stays the same.
   */
  sample: z.object({ port: z.int().min(1).max(65_535) }).optional(),
  uploads: z
    .object({
      /** The number of files that are uploaded concurrently. `auto`: the app tunes it during uploads. */
      concurrency: concurrency.default('auto'),
      /** Limits of the upload speed in bytes per second: the usual one, and those by time of day. */
      limit: uploadLimit,
      /** When uploads leave bandwidth for other traffic. */
      leaveRoom: leaveRoom.default('working-hours'),
      waitOnBattery: Preferences.shape.waitOnBattery.default(true),
      waitOnMetered: Preferences.shape.waitOnMetered.default(true),
      /** The hours of new uploads, unless an upload has its own hours. Absent: any time. */
      hours: Hours.optional(),
      /**
       * The format of the receipt that is saved when an upload ends, unless the upload has its own setting. Absent: no
       * receipt.
       */
      receipt: uploadReceipt,
    })
    .prefault({}),
  letterhead: Letterhead.prefault({}),
  network: Network.extend({ proxy: ProxySettings.default({ mode: 'system', exceptions: [] }) }).prefault({}),
  updates: Updates.extend({
    mode: Updates.shape.mode.default('automatic'),
    channel: Updates.shape.channel.default('latest'),
  }).prefault({}),
  desktop: z
    .object({
      tray: Desktop.shape.tray.default(true),
      keepUploading: Desktop.shape.keepUploading.default(true),
      startAtSignIn: Desktop.shape.startAtSignIn.default(false),
    })
    .prefault({}),
  cache: z.object({ limitMegabytes: CacheLimit.default(1_000) }).prefault({}),
  log: z.object({ level: LogLevel.default('info') }).prefault({}),
  sampleData: z.boolean().default(true),
  signOut: z.object({ erases: SignOutErases.default('session') }).prefault({}),
  /** How the app reads values that the API documentation leaves open. */
  advanced: z
    .object({
      timeBase: timeBase.default('auto'),
    })
    .prefault({}),
  signInNeeds: z.record(z.string(), SignInNeeds).default({}),
  /**
   * The storage that last received a file or responded to a probe, by connection key. Invalid entries are dropped
   * without a notice (`catch`), because the app learns them again.
   */
  storages: z.record(z.string(), Storage).default({}).catch({}),
  preferences: z
    .object({
      appearance: appearance.default('system'),
      language: language.default('system'),
      formats: formats.default('system'),
      dateFormat: dateFormat.default('system'),
    })
    .prefault({}),
  views: Views.default({}),
});
export type Settings = Readonly<z.infer<typeof Settings>>;

/** The fields to change. `undefined` removes a field, or restores its default. */
export type SettingsPatch = { readonly [K in keyof Settings]?: Settings[K] | undefined };
