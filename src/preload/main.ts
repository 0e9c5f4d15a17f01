/** Gives the page the bridge of the contract and nothing else: no channel of its choice, no paths, no Electron. */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { Bridge } from '../contract/calls/bridge.ts';
import { mapCalls } from '../contract/calls/calls.ts';
import { adoptDroppedChannel, eventChannel } from '../contract/channels.ts';
import { DeskError, type Envelope, toErrorData } from '../contract/errors.ts';
import { pathsOfDropped } from './paths-of-dropped.ts';

const noFiles: Envelope<never> = {
  ok: false,
  error: toErrorData(
    new DeskError('input/invalid', 'these are no files from the disk', { details: { field: 'files' } }),
  ),
};

const bridge: Bridge = {
  calls: mapCalls((name) => (input) => ipcRenderer.invoke(name, input)),
  onEvent: (listener) => {
    // The page may pass anything; a value that is not a function would throw at every event.
    if (typeof listener !== 'function') throw new TypeError('the listener must be a function');
    const deliver = (_event: unknown, event: unknown) => listener(event);
    ipcRenderer.on(eventChannel, deliver);
    return () => void ipcRenderer.off(eventChannel, deliver);
  },
  adoptDropped: async (files) => {
    const paths = pathsOfDropped(files, webUtils.getPathForFile);
    return paths === undefined ? noFiles : ipcRenderer.invoke(adoptDroppedChannel, paths);
  },
};

contextBridge.exposeInMainWorld('inspectionDesk', bridge);
