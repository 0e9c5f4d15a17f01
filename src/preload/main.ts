/** Gives the page the bridge of the contract and nothing else: no channel of its choice, no paths, no Electron. */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { Bridge } from '../contract/bridge.ts';
import { mapCalls } from '../contract/calls.ts';
import { adoptDroppedChannel, eventChannel } from '../contract/channels.ts';

const bridge: Bridge = {
  calls: mapCalls((name) => (input) => ipcRenderer.invoke(name, input)),
  onEvent: (listener) => {
    const deliver = (_event: unknown, event: unknown) => listener(event);
    ipcRenderer.on(eventChannel, deliver);
    return () => void ipcRenderer.off(eventChannel, deliver);
  },
  adoptDropped: (files) => ipcRenderer.invoke(adoptDroppedChannel, files.map(webUtils.getPathForFile)),
};

contextBridge.exposeInMainWorld('inspectionDesk', bridge);
