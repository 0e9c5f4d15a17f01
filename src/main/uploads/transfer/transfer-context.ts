/** The types of the parts that all transfers share (`TransferContext`), and of the input of one transfer (`Job`). */

import type { Dispatcher } from 'undici';
import type { Owner } from '../../../contract/connection.ts';
import type { DeskError } from '../../../contract/errors.ts';
import type { AssignmentFiles, UploadSignature } from '../../../contract/resources.ts';
import type { Sleep } from '../../async/clock.ts';
import type { KeyedLock } from '../../async/lock.ts';
import type { RateLimit } from '../../async/rate-limit.ts';
import type { HeldSlot } from '../../async/slots.ts';
import type { Gate } from '../../net/gate.ts';
import type { HostHealth } from '../../net/host-health.ts';
import type { Item } from '../ledger/items.ts';
import type { BatchRow, Ledger } from '../ledger/ledger.ts';
import type { OpenFile } from '../source/local-file.ts';
import type { BlockSizes, Md5Origins, SendTimeouts } from '../storage/put-file.ts';
import type { SignedUrlRules } from '../storage/signed-url.ts';
import type { LineWatch } from './congestion.ts';
import type { Interruptions } from './interruptions.ts';
import type { Pools } from './pool.ts';

export type SignRequest = { readonly AssignmentId: string; readonly FileName: string };
export type RemovalRequest = { readonly AssignmentId: string; readonly Key: string };

type Subject = Owner['subject'];

/**
 * The calls to the service, which main makes. `subject`: the user whose session a call needs; undefined: any user.
 * Errors: the service's, `upload/other-session`.
 */
export type UploadService = {
  readonly signUpload: (request: SignRequest, subject: Subject, signal: AbortSignal) => Promise<UploadSignature>;
  /**
   * Resolves to undefined if the file was removed, but the service did not list the remaining files. `isUrgent`: a user
   * waits for the removal.
   */
  readonly removeFile: (
    request: RemovalRequest & { readonly isUrgent: boolean },
    subject: Subject,
    signal?: AbortSignal,
  ) => Promise<AssignmentFiles | undefined>;
};

/** An assignment, with the connection and the user whose session sends and removes its files. */
export type Target = Owner & { readonly assignmentId: string };

export type TransferContext = SignedUrlRules & {
  readonly ledger: Ledger;
  readonly service: UploadService;
  readonly storage: Dispatcher;
  readonly open: OpenFile;
  readonly gate: Gate;
  /** Receives observations of hosts, and waits for unreachable hosts. */
  readonly health: Pick<HostHealth, 'waitFor' | 'failure' | 'report'>;
  readonly interruptions: Interruptions;
  /** Waits before another attempt. The wait ends early when the user chooses to try now. */
  readonly pause: Sleep;
  readonly timeouts: SendTimeouts;
  readonly limit: RateLimit;
  readonly blockSizes: BlockSizes;
  readonly md5Origins: Md5Origins;
  readonly pools: Pools;
  readonly line: Pick<LineWatch, 'request' | 'moved' | 'begins'>;
  /**
   * Shared by all transfers. If two files are for the same name on an assignment, one waits for the result of the
   * other.
   */
  readonly lock: KeyedLock;
  /**
   * The number of attempts without a response, by the ids of items. The storage may still store the files of these
   * attempts. The numbers are lost when the engine ends.
   */
  readonly unanswered: Map<number, number>;
  /** Receives the ids of items whose files are no longer on their assignment, or are there again. */
  readonly onRemoved?: ((items: readonly number[]) => void) | undefined;
  /**
   * How far the service's lists may lag behind uploads, in ms: a list that is requested this long after an upload
   * contains its file.
   */
  readonly listLagMs: number;
  readonly sleep: Sleep;
  /** Ms since 1970, for records, display, and times that others have set, such as the expiry of a signed URL. */
  readonly now: () => number;
  /** Returns ms of a clock that never jumps, for durations. */
  readonly steady: () => number;
};

export type Wait = DeskError | 'retry';

export type Job = {
  readonly item: Item;
  readonly batch: Target & Pick<BatchRow, 'id' | 'uploadId' | 'nameTemplate' | 'onClash' | 'root'>;
  /** The folder's real path: files outside it are not sent. Undefined: the path is unknown, and nothing is checked. */
  readonly within: string | undefined;
  /** Receives the bytes sent so far. `isThere`: the storage already had the bytes added since the last call. */
  readonly onBytes: (sentBytes: number, isThere?: boolean) => void;
  /** Receives what the file waits for: `retry`, or the reason why it waits for a host. Undefined once it continues. */
  readonly onWaiting: (wait: Wait | undefined) => void;
  /**
   * Until the first send, holds one of the places for files that are signed early (`ahead` in `Pools`); afterwards
   * holds a slot.
   */
  readonly slot: Omit<HeldSlot, 'isParked'>;
  /** Aborted with `signal`, and when the batch pauses: then no file waits for a host or a retry. */
  readonly waitSignal: AbortSignal;
  readonly signal: AbortSignal;
};
