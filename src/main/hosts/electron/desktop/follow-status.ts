import type { Snapshot } from '../../../../contract/app.ts';
import type { Batch } from '../../../../contract/uploads.ts';
import { createThrottle } from '../../../async/throttle.ts';
import type { Desk } from '../../../core/desk.ts';
import { type DesktopStatus, desktopStatus } from './desktop-status.ts';

/** Events of an upload come many times a second; nobody reads an icon that fast. */
const TELL_INTERVAL_MS = 500;

type Followed = { readonly status: () => DesktopStatus; readonly stop: () => void };

/** Follows the events of `desk`. `onChange`: called at most twice a second. `onBug` receives what fails after the start. */
export const followStatus = async (
  desk: Pick<Desk, 'handlers' | 'onEvent'>,
  onChange: (status: DesktopStatus) => void,
  onBug: (error: unknown) => void,
): Promise<Followed> => {
  const batches = new Map<string, Batch>();
  let known: Pick<Snapshot, 'reachability' | 'watchedFolders'>;
  const read = async (): Promise<void> => {
    const snapshot = await desk.handlers.app.snapshot(undefined);
    batches.clear();
    see(snapshot.batches);
    known = { reachability: snapshot.reachability, watchedFolders: snapshot.watchedFolders };
  };
  const see = (changed: readonly Batch[]): void => {
    for (const batch of changed) batches.set(batch.batchId, batch);
  };
  await read();
  const status = (): DesktopStatus => desktopStatus({ ...known, batches: [...batches.values()] });
  const telling = createThrottle(() => onChange(status()), TELL_INTERVAL_MS, onBug);
  const stop = desk.onEvent((event) => {
    switch (event.type) {
      case 'batches':
        see(event.batches);
        break;
      case 'reachability':
        known = { ...known, reachability: event.reachability };
        break;
      case 'watched-folders':
        known = { ...known, watchedFolders: event.watchedFolders };
        break;
      case 'connection':
      case 'session':
        // Uploads belong to a connection and a person.
        read().then(telling.request).catch(onBug);
        return;
      default:
        return;
    }
    telling.request();
  });
  return { status, stop };
};
