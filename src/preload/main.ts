/**
 * Exposes only the contract's bridge to the page. The page can neither choose an IPC channel nor use Electron's API.
 */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { createBridge } from './bridge.ts';

contextBridge.exposeInMainWorld('inspectionDesk', createBridge(ipcRenderer, webUtils.getPathForFile));
