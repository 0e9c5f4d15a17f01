/** One instance per data directory: a second instance passes its callback address to the first and ends. */
import { app } from 'electron';
import { z } from 'zod';
import { startTasks } from '../shared/host-options.ts';

/** What a second instance passes on. Its arguments are not used, since Chromium reorders them. */
const Handover = z.object({
  callback: z.string().optional(),
  paths: z.array(z.string()).readonly().optional(),
  task: z.enum(startTasks).optional(),
});
type Handover = z.infer<typeof Handover>;

/** Chromium reads 32 KiB of a later start; these bytes and what is handed over once more, in two bytes a character, fit. */
const MAX_LINE_BYTES = 8192;

/**
 * Whether this is the first start, by a lock in Electron's `userData`. If it is not, the first one has `handover`. A line
 * longer than any that a person or a browser writes is not handed over: an older Electron ended the first start for it.
 */
export const isFirstStart = (handover: Handover): boolean => {
  if (Buffer.byteLength([process.cwd(), ...process.argv].join(' ')) > MAX_LINE_BYTES) return false;
  return app.requestSingleInstanceLock(handover);
};

/** Delivers what each second instance hands over. */
export const onLaterStart = (deliver: (handover: Handover) => void): void => {
  app.on('second-instance', (_event, _args, _folder, data) => deliver(Handover.safeParse(data).data ?? {}));
};
