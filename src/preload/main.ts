/**
 * Exposes the contract's bridge to the page and nothing else: no channel of the page's choice, no paths, no Electron.
 */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { createBridge } from './bridge.ts';

contextBridge.exposeInMainWorld('inspectionDesk', createBridge(ipcRenderer, webUtils.getPathForFile));
