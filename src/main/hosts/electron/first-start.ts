/** One instance per data directory: a second instance passes its callback address to the first and ends. */
import { app } from 'electron';
import { z } from 'zod';

/** What a second instance passes on. Its arguments are not used, since Chromium reorders them. */
const Handover = z.object({ callback: z.string().optional() });

/** Chromium reads 32 KiB of a later start; these bytes and the callback once more, in two bytes a character, fit. */
const MAX_LINE_BYTES = 8192;

/**
 * Whether this is the first start, by a lock in Electron's `userData`. If it is not, the first one has `callback`. A line
 * longer than any that a person or a browser writes is not handed over: an older Electron ended the first start for it.
 */
export const isFirstStart = (callback: string | undefined): boolean => {
  if (Buffer.byteLength([process.cwd(), ...process.argv].join(' ')) > MAX_LINE_BYTES) return false;
  return app.requestSingleInstanceLock(callback === undefined ? {} : { callback });
};

/** Delivers the callback address of each second instance. */
export const onLaterStart = (deliver: (callbackUrl: string) => void): void => {
  app.on('second-instance', (_event, _args, _folder, data) => {
    const callback = Handover.safeParse(data).data?.callback;
    if (callback !== undefined) deliver(callback);
  });
};
