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

/** The version of the file that this app writes. */
const VERSION = 1;

/** See `auth/session.ts`. */
const SignInNeeds = z.object({
  clientIdOnRefresh: z.boolean().default(false),
  consentPrompt: z.boolean().default(false),
});

/** `takesBlocks`: see `Observation` in `net/host-health.ts`. */
const Storage = z.object({ origin: z.string(), takesBlocks: z.boolean().optional() });

export const RedirectUri = z.url();

/** Every field is optional or has a default, so an empty object is a valid file. */
export const Settings = z.object({
  version: z.int().default(VERSION),
  connection: Connection.optional(),
  /** The redirect URI of the sign-in. Absent: the host's default. */
  redirectUri: RedirectUri.optional(),
  /** The last port of the embedded sample service. It is reused, so that the connection stays the same. */
  sample: z.object({ port: z.int().min(1).max(65_535) }).optional(),
  uploads: z
    .object({
      /** The number of files uploaded concurrently. */
      concurrency: concurrency.default('auto'),
      /** The speed limits in bytes per second: the usual one, and those by time of day. */
      limit: uploadLimit,
      /** When uploads leave bandwidth for other traffic. */
      leaveRoom: leaveRoom.default('working-hours'),
      /** Uploads wait while the battery is low, or the connection is metered. */
      waitOnBattery: Preferences.shape.waitOnBattery.default(true),
      waitOnMetered: Preferences.shape.waitOnMetered.default(true),
      /** When new uploads may run, unless they have hours of their own. Absent: at any time. */
      hours: Hours.optional(),
      /** The format of the receipt that is saved when a new upload ends. */
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
  /** Whether sample data can be used. */
  sampleData: z.boolean().default(true),
  signOut: z.object({ erases: SignOutErases.default('session') }).prefault({}),
  /** For services that interpret the API documentation differently where it is not precise. */
  advanced: z
    .object({
      timeBase: timeBase.default('auto'),
    })
    .prefault({}),
  /** The known requirements of services at sign-in, by connection key. */
  signInNeeds: z.record(z.string(), SignInNeeds).default({}),
  /**
   * The storage that received the last file, by connection key. A value in another form is dropped, and determined again.
   */
  storages: z.record(z.string(), Storage).default({}).catch({}),
  preferences: z
    .object({
      appearance: appearance.default('system'),
      // The file stays readable if its language is available only in a newer version.
      language: language.default('system').catch('system'),
      formats: formats.default('system').catch('system'),
      dateFormat: dateFormat.default('system'),
    })
    .prefault({}),
  /** The stored state of the window. */
  views: Views.default({}),
});
export type Settings = Readonly<z.infer<typeof Settings>>;

/** The fields to change; `undefined` removes one. */
export type SettingsPatch = { readonly [K in keyof Settings]?: Settings[K] | undefined };
