/** The content of settings.json. Tokens are never in it. */
import { z } from 'zod';
import { Connection } from '../../contract/connection.ts';
import { Preferences, Views } from '../../contract/preferences.ts';

const { appearance, language, formats, dateFormat, concurrency, timeBase, uploadLimit } = Preferences.shape;

/** The version of the file that this app writes. */
const VERSION = 2;

/**
 * What a file of an older version means now. Version 1 had no number, and wrote its default of four files at once into
 * every file: nobody chose that.
 */
const withoutOldConcurrency = (stored: unknown): unknown => {
  const file = OldFile.safeParse(stored).data;
  return file ? { ...file, uploads: { ...file.uploads, concurrency: undefined } } : stored;
};
const OldFile = z.looseObject({
  version: z.undefined().optional(),
  uploads: z.looseObject({ concurrency: z.literal(4) }),
});

/** What `auth/sign-in-needs.ts` learns. */
const SignInNeeds = z.object({
  clientIdOnRefresh: z.boolean().default(false),
  consentPrompt: z.boolean().default(false),
});

/** While the app was in English only, `language` was the language of dates and numbers, and nothing else. */
const withFormats = (stored: unknown): unknown => {
  const file = FileWithoutFormats.safeParse(stored).data;
  return file ? { ...file, preferences: { ...file.preferences, formats: file.preferences.language } } : stored;
};
const FileWithoutFormats = z.looseObject({
  preferences: z.looseObject({ language: z.literal('en'), formats: z.undefined().optional() }),
});

const Fields = z.object({
  version: z.int().default(VERSION),
  connection: Connection.optional(),
  /** Where the service sends people back to; absent: the host's own. */
  redirectUri: z.url().optional(),
  /** The port the embedded sandbox had last: with the same one, its connection stays the same. */
  sample: z.object({ port: z.int().min(1).max(65_535) }).optional(),
  uploads: z
    .object({
      /** Files under way at once. */
      concurrency: concurrency.default('auto'),
      /** Bytes a second: always, and by the time of the day. */
      limit: uploadLimit,
    })
    .prefault({}),
  /** For services that read the open points of the interface differently. */
  advanced: z
    .object({
      /** The interface lists no client_id for a refresh. */
      sendClientIdOnRefresh: z.boolean().default(false),
      timeBase: timeBase.default('auto'),
    })
    .prefault({}),
  /** What services turned out to need for a sign-in, by the key of their connection. */
  signInNeeds: z.record(z.string(), SignInNeeds).default({}),
  preferences: z
    .object({
      appearance: appearance.default('system'),
      // A language that only a newer version speaks does not make the file unreadable.
      language: language.default('system').catch('system'),
      formats: formats.default('system').catch('system'),
      dateFormat: dateFormat.default('system'),
    })
    .prefault({}),
  /** What the window remembers. */
  views: Views.default({}),
});

/** Every field has a default or is optional: an empty object is a whole file. */
export const Settings = z.preprocess((stored) => withFormats(withoutOldConcurrency(stored)), Fields);
export type Settings = Readonly<z.infer<typeof Settings>>;
