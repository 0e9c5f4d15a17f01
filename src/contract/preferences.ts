/** What a person can set, and what the window remembers for them. */
import { z } from 'zod';
import { Hours } from './hours.ts';
import { CacheLimit, Desktop, LogLevel, Network, Updates } from './office-settings.ts';
import { AutomaticReceipt } from './receipts.ts';
import { TimeBase } from './service-time.ts';
import { isSmallJson, type Json } from './small-json.ts';
import { LeaveRoom, UploadLimit } from './upload-limit.ts';

/** A language that the app speaks. */
export const Language = z.enum(['en', 'sv', 'de']);
export type Language = z.infer<typeof Language>;

export const Preferences = z.object({
  appearance: z.enum(['system', 'light', 'dark']),
  /** The language of the app. */
  language: z.enum(['system', ...Language.options]),
  /** The format of dates and numbers: the system's, or that of a language. */
  formats: z.enum(['system', ...Language.options]),
  dateFormat: z.enum(['system', 'iso']),
  /** Files uploaded at once; `auto`: tuned while uploading. Takes effect at the next start of the app. */
  concurrency: z.union([z.int().min(1).max(64), z.literal('auto')]),
  /** The speed limit of uploads; takes effect at once. Absent: no limit. */
  uploadLimit: UploadLimit.optional(),
  /** When uploads give way to other traffic on the line; takes effect at once. */
  leaveRoom: LeaveRoom,
  timeBase: TimeBase,
  /** When new uploads may run, unless they have hours of their own. Absent: at any time. */
  uploadHours: Hours.optional(),
  /** The receipt that new uploads end with, unless one is chosen for them. Absent: none. */
  uploadReceipt: AutomaticReceipt.optional(),
  network: Network,
  /** Their address is not for the window. */
  updates: Updates.omit({ address: true }),
  desktop: Desktop,
  /** Takes effect at once. */
  cacheLimitMegabytes: CacheLimit,
  logLevel: LogLevel,
});
export type Preferences = z.infer<typeof Preferences>;

/** Begins with a letter, which excludes `__proto__`. */
export const ViewKey = z.string().regex(/^[a-z][\w.-]{0,63}$/i);

/** Any JSON of at most 4,096 characters: column widths, a sort, the last place. */
export const ViewValue = z.custom<Json>(isSmallJson, 'not JSON, or too large');
export type ViewValue = z.infer<typeof ViewValue>;

/** Remembered state of the window by its key, at most 100 of them. */
export const Views = z.record(ViewKey, ViewValue).refine((views) => Object.keys(views).length <= 100, 'too many');
export type Views = z.infer<typeof Views>;
