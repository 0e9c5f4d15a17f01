/** The content of settings.json. Tokens are never in it. */
import { z } from 'zod';
import { Connection } from '../../contract/models.ts';
import { Preferences, Views } from '../../contract/preferences.ts';

const { appearance, language, dateFormat, concurrency, timeBase } = Preferences.shape;

/** Every field has a default or is optional: an empty object is a whole file. */
export const Settings = z.object({
  connection: Connection.optional(),
  /** Where the service sends people back to; absent: the host's own. */
  redirectUri: z.url().optional(),
  /** The port the embedded sandbox had last: with the same one, its connection stays the same. */
  sample: z.object({ port: z.int().min(1).max(65_535) }).optional(),
  uploads: z
    .object({
      /** Files under way at once. */
      concurrency: concurrency.default(4),
    })
    .prefault({}),
  /** For services that read the open points of the interface differently. */
  advanced: z
    .object({
      /** The interface lists no client_id for a refresh. */
      sendClientIdOnRefresh: z.boolean().default(false),
      /** Of InspectionDate, StartTime and PlanAfter; `auto`: below 1e11 it is seconds. */
      timeBase: timeBase.default('auto'),
    })
    .prefault({}),
  preferences: z
    .object({
      appearance: appearance.default('system'),
      language: language.default('system'),
      dateFormat: dateFormat.default('system'),
    })
    .prefault({}),
  /** What the window remembers. */
  views: Views.default({}),
});
export type Settings = Readonly<z.infer<typeof Settings>>;
