/** Gives the page the bridge of the contract and nothing else: no channel of its choice, no paths, no Electron. */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { createBridge } from './bridge.ts';

contextBridge.exposeInMainWorld('inspectionDesk', createBridge(ipcRenderer, webUtils.getPathForFile));
