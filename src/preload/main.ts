/** Exposes the contract's bridge to the page and nothing else: no IPC channel that the page could choose, no Electron API. */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { createBridge } from './bridge.ts';

contextBridge.exposeInMainWorld('inspectionDesk', createBridge(ipcRenderer, webUtils.getPathForFile));
