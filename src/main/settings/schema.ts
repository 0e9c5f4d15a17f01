/** The content of settings.json. Tokens are never in it. */
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

/** The version of a new file. A file that has a version keeps it. */
const VERSION = 1;

/** The known requirements of a service at sign-in; see `SignInNeeds` in `auth/token-endpoint.ts`. */
const SignInNeeds = z.object({
  clientIdOnRefresh: z.boolean().default(false),
  consentPrompt: z.boolean().default(false),
});

/** A storage. `takesBlocks`: whether it accepts a large file in parts and keeps them; absent: unknown. */
const Storage = z.object({ origin: z.string(), takesBlocks: z.boolean().optional() });

export const RedirectUri = z.url();

/** Every field is optional or has a default, so an empty object is a valid file. */
export const Settings = z.object({
  version: z.int().default(VERSION),
  connection: Connection.optional(),
  /** The redirect URI of the sign-in. Absent: the host's default. */
  redirectUri: RedirectUri.optional(),
  /** The last port of the embedded sample service, reused so that the key of the connection stays the same. */
  sample: z.object({ port: z.int().min(1).max(65_535) }).optional(),
  uploads: z
    .object({
      /** The number of files uploaded concurrently; `auto`: tuned while uploading. */
      concurrency: concurrency.default('auto'),
      /** The speed limits in bytes per second: the usual one, and those by time of day. */
      limit: uploadLimit,
      /** When uploads leave bandwidth for other traffic. */
      leaveRoom: leaveRoom.default('working-hours'),
      /** Whether uploads wait while the battery is low. */
      waitOnBattery: Preferences.shape.waitOnBattery.default(true),
      /** Whether uploads wait while the connection is metered. */
      waitOnMetered: Preferences.shape.waitOnMetered.default(true),
      /** The hours of new uploads, unless an upload has its own. Absent: at any time. */
      hours: Hours.optional(),
      /** The format of the receipts that are saved when new uploads end, unless an upload has its own. Absent: none. */
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
  /** How the service interprets points that the API documentation leaves open. */
  advanced: z
    .object({
      timeBase: timeBase.default('auto'),
    })
    .prefault({}),
  /** The known requirements of services at sign-in, by connection key. */
  signInNeeds: z.record(z.string(), SignInNeeds).default({}),
  /**
   * The storage that last received a file or responded to a probe, by connection key. If one entry is invalid, all
   * entries are dropped. They are then learnt again.
   */
  storages: z.record(z.string(), Storage).default({}).catch({}),
  preferences: z
    .object({
      appearance: appearance.default('system'),
      // A language from a newer version of the app must not make the file invalid.
      language: language.default('system').catch('system'),
      formats: formats.default('system').catch('system'),
      dateFormat: dateFormat.default('system'),
    })
    .prefault({}),
  views: Views.default({}),
});
export type Settings = Readonly<z.infer<typeof Settings>>;

/** The fields to change; `undefined` removes a field, or restores its default. */
export type SettingsPatch = { readonly [K in keyof Settings]?: Settings[K] | undefined };
