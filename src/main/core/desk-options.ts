/** What a host can set for a desk besides itself. */

import type { LeaveRoom } from '../../contract/hours.ts';
import type { UploadFile } from '../../contract/uploads.ts';
import type { RetryPolicy } from '../async/retry.ts';
import type { Concurrency } from '../uploads/engine/pool.ts';
import type { SendTimeouts } from '../uploads/storage/put-request.ts';
import type { Deadlines } from './connection/connection-services.ts';
import type { WatchSettings } from './connection/watched-connection.ts';

export type DeskOptions = {
  /** Whether interrupted uploads are resumed at sign-in, and folders are watched. Default: true. */
  readonly resumeUploads?: boolean;
  /** How many files are uploaded at the same time. Default: the setting, which counts in any case if it is managed. */
  readonly concurrency?: Concurrency | undefined;
  /** Overrides the setting, unless that is managed. */
  readonly bytesPerSecond?: number | undefined;
  /** Overrides the setting, unless that is managed. */
  readonly leaveRoom?: LeaveRoom | undefined;
  /** How long uploads wait for a host that cannot be reached before their batch pauses. Default: no limit. */
  readonly networkPatienceMs?: number | undefined;
  /** The waits before a host that cannot be reached is probed. Default: those of `net/network.ts`. */
  readonly probes?: RetryPolicy;
  /** How long a transfer may stall. Default: `SEND_TIMEOUTS`. */
  readonly timeouts?: Partial<SendTimeouts>;
  /** How long calls to the service and to the token endpoint may take. Default: their own figures. */
  readonly deadlines?: Deadlines;
  /** How watched folders are looked after. Default: `WATCHED_TIMES` and the system's clock. */
  readonly watching?: WatchSettings;
  /** Called for each file in a final state. */
  readonly onFile?: ((batch: string, file: UploadFile) => void) | undefined;
};
