/**
 * The contract's bridge over Electron's IPC. Each call has its own channel, so the page cannot choose a channel. The
 * page passes dropped files as `File` objects, never as paths.
 */
import type { IpcRenderer } from 'electron';
import type { Bridge } from '../contract/calls.ts';
import { adoptDroppedChannel, cancelChannel, eventChannel, mapCalls } from '../contract/calls.ts';
import { DeskError, type Envelope, toErrorData } from '../contract/errors.ts';

/**
 * Creates the bridge over Electron's IPC. `pathOf` returns the path of a file on disk, or an empty string for a file
 * that a script created.
 */
export const createBridge = (
  ipc: Pick<IpcRenderer, 'invoke' | 'send' | 'on'>,
  pathOf: (file: File) => string,
): Bridge => ({
  calls: mapCalls((name) => (input, id) => ipc.invoke(name, input, id)),
  cancel: (id) => ipc.send(cancelChannel, id),
  onEvent: (listener) => {
    // The page can pass anything. Calling a value that is not a function would throw at every event.
    if (typeof listener !== 'function') throw new TypeError('the listener must be a function');
    ipc.on(eventChannel, (_event: unknown, event: unknown) => listener(event));
  },
  adoptDropped: async (files) => {
    const paths = pathsOfDropped(files, pathOf);
    return paths === undefined ? noFiles : ipc.invoke(adoptDroppedChannel, paths);
  },
});

/**
 * Returns the paths of `files`; undefined unless all of them are files on disk. `files` comes from the page and can be
 * anything, so none of its methods is called and no element is read twice.
 */
const pathsOfDropped = (files: unknown, pathOf: (file: File) => string): readonly string[] | undefined => {
  if (!Array.isArray(files)) return undefined;
  const paths: string[] = [];
  for (let index = 0; index < files.length; index += 1) {
    const file: unknown = files[index];
    const path = file instanceof File ? pathOf(file) : '';
    // The path is empty if a script created the file, or if the value is not a `File`.
    if (path === '') return undefined;
    paths.push(path);
  }
  return paths;
};

const noFiles: Envelope<never> = {
  ok: false,
  error: toErrorData(
    new DeskError('input/invalid', 'these are no files from the disk', { details: { field: 'files' } }),
  ),
};
