/** Newer versions of the app, as the window shows them. */
import { z } from 'zod';
import { ErrorData } from './errors.ts';

/**
 * Why the app does not update itself. `build`: it runs from the sources, or was not made for updates; `installer`: the
 * computer's software distribution does it; `setting`: it is turned off; `address`: nobody said where updates are.
 */
export const UpdatesOff = z.enum(['build', 'installer', 'setting', 'address']);
export type UpdatesOff = z.infer<typeof UpdatesOff>;

/** A version that can be installed. `notes`: what is new in it, as text. */
export const NewVersion = z.object({ version: z.string(), notes: z.string().optional() });
export type NewVersion = z.infer<typeof NewVersion>;

export const UpdateStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('off'), reason: UpdatesOff }),
  /** There is no newer version. `checkedAtMs`: since 1970; absent before the first check. */
  z.object({ state: z.literal('current'), checkedAtMs: z.number().optional() }),
  z.object({ state: z.literal('checking') }),
  z.object({ state: z.literal('downloading'), found: NewVersion, percent: z.int().min(0).max(100) }),
  /** Downloaded and checked: it is installed when the app ends. */
  z.object({ state: z.literal('ready'), found: NewVersion }),
  z.object({ state: z.literal('failed'), error: ErrorData, failedAtMs: z.number() }),
]);
export type UpdateStatus = z.infer<typeof UpdateStatus>;
