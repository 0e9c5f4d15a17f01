import { app, BrowserWindow, Notification } from 'electron';
import type { Batch } from '../../contract/models.ts';

/** Tells of an upload that has ended or stopped, unless the person is looking at the app anyway. */
export const notifyOfBatch = (batch: Batch): void => {
  if (BrowserWindow.getFocusedWindow() !== null || !Notification.isSupported()) return;
  new Notification({ title: app.name, body: batchNotice(batch) }).show();
};

const batchNotice = ({ state, files, uploaded, skipped, failed }: Batch): string => {
  const done = `${uploaded + skipped} of ${files} files uploaded`;
  if (state === 'paused') return `The upload has stopped: ${done}.`;
  return failed === 0 ? `The upload is finished: ${done}.` : `The upload is finished: ${done}, ${failed} failed.`;
};
