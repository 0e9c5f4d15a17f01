/** Logs when the service or a storage goes away, asks for a pause, and comes back. */
import type { DeskEvent } from '../../../contract/app.ts';
import { NOTHING_ASKED, type Reach, type Side, troubleOf } from '../../../contract/connection.ts';
import type { WriteLog } from './log.ts';

/** Logs each change of the state of a side, and no more. */
export const logReach = (onEvent: (listener: (event: DeskEvent) => void) => unknown, write: WriteLog): void => {
  let last = NOTHING_ASKED;
  const changed = (side: Side, reach: Reach): void => {
    if (reach.state === last[side].state) return;
    const trouble = troubleOf(reach);
    write('reach', { side, state: reach.state, ...(trouble && { host: trouble.host, code: trouble.reason.code }) });
  };
  onEvent((event) => {
    if (event.type !== 'reachability') return;
    changed('service', event.reachability.service);
    changed('storage', event.reachability.storage);
    last = event.reachability;
  });
};
