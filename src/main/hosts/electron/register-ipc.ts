/** Main's end of the contract: one channel a call, each sender checked, each input parsed. */
import { isAbsolute } from 'node:path';
import { BrowserWindow, type IpcMainInvokeEvent, ipcMain } from 'electron';
import { z } from 'zod';
import { adoptDroppedChannel, callsByName, eventChannel } from '../../../contract/calls.ts';
import { DeskError, type Envelope, toErrorData } from '../../../contract/errors.ts';
import type { Desk } from '../../core/desk.ts';
import { createDispatcher, parseInput, toEnvelope } from '../../core/handlers/dispatch-call.ts';

/** Enough for many photos selected in the file manager and dropped at once. */
const DroppedPaths = z.array(z.string().refine(isAbsolute)).min(1).max(20_000);

/** Answers the calls of pages of `origin` and sends them the desk's events. `onBug` gets every unexpected error. */
export const registerIpc = (desk: Desk, origin: string, onBug: (error: unknown) => void): void => {
  const answer = (channel: string, handle: (input: unknown) => Promise<Envelope<unknown>>) =>
    ipcMain.handle(channel, (event, input: unknown) => (isFromPage(event, origin) ? handle(input) : refusal));

  const dispatch = createDispatcher(desk.handlers, onBug);
  for (const name of callsByName.keys()) answer(name, (input) => dispatch(name, input));
  // Preload reads the paths from the dropped files themselves, so the page cannot make them up.
  answer(adoptDroppedChannel, (input) => toEnvelope(() => desk.adoptPaths(parseInput(DroppedPaths, input)), onBug));
  desk.onEvent((event) => {
    for (const window of BrowserWindow.getAllWindows()) window.webContents.send(eventChannel, event);
  });
};

/** Whether the call comes from the app's own page, not from a frame in it or a page that took its place. */
const isFromPage = ({ senderFrame }: IpcMainInvokeEvent, origin: string): boolean =>
  senderFrame !== null &&
  senderFrame.parent === null &&
  senderFrame.origin === origin &&
  // A blank page has the origin of the page that went there.
  senderFrame.url.startsWith(`${origin}/`);

const refusal: Envelope<never> = {
  ok: false,
  error: toErrorData(new DeskError('app/unsupported', 'calls are accepted from the app’s own page only')),
};
