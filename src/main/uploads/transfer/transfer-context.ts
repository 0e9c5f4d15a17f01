/** The state shared by all transfers (`TransferContext`), and the input of one (`Job`). */

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
import type { BatchRow } from '../ledger/batches.ts';
import type { Item } from '../ledger/items.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { OpenFile } from '../source/local-file.ts';
import type { BlockSizes, SendTimeouts } from '../storage/put-file.ts';
import type { Md5Origins } from '../storage/send-outcome.ts';
import type { SignedUrlRules } from '../storage/signed-url.ts';
import type { LineWatch } from './congestion.ts';
import type { Interruptions } from './interruptions.ts';
import type { Pools } from './pool.ts';

export type SignRequest = { readonly AssignmentId: string; readonly FileName: string };
export type RemovalRequest = { readonly AssignmentId: string; readonly Key: string };

/** `subject`: the user whose session the call needs; absent: any user. */
type CallOptions = { readonly signal?: AbortSignal } & Pick<Owner, 'subject'>;

/** `isUrgent`: a person waits for the removal. */
type RemovalOptions = CallOptions & { readonly isUrgent?: boolean };

/** Errors: the service's, `upload/other-session`. */
export type UploadService = {
  readonly signUpload: (
    request: SignRequest,
    options: CallOptions & { readonly signal: AbortSignal },
  ) => Promise<UploadSignature>;
  /** Undefined if the file is gone but the service did not list the remaining files. */
  readonly removeFile: (request: RemovalRequest, options?: RemovalOptions) => Promise<AssignmentFiles | undefined>;
};

/** An assignment, and on whose behalf its files are sent and removed. */
export type Target = Owner & { readonly assignmentId: string };

export type TransferContext = SignedUrlRules & {
  readonly ledger: Ledger;
  readonly service: UploadService;
  readonly storage: Dispatcher;
  readonly open: OpenFile;
  readonly gate: Gate;
  /** Receives what each send reveals about its host. */
  readonly health: Pick<HostHealth, 'waitFor' | 'failure' | 'report'>;
  readonly interruptions: Interruptions;
  /** The wait before another attempt, which ends early when the user chooses to try now. */
  readonly pause: Sleep;
  readonly timeouts: SendTimeouts;
  readonly limit: RateLimit;
  readonly blockSizes: BlockSizes;
  readonly md5Origins: Md5Origins;
  readonly pools: Pools;
  readonly line: Pick<LineWatch, 'request' | 'moved' | 'begins'>;
  /** Shared by all transfers: two files for one name on one assignment must see each other's result. */
  readonly lock: KeyedLock;
  /**
   * How often the last byte of each item was sent without a response since the app started: the storage may still store as many
   * attempts.
   */
  readonly unanswered: Map<number, number>;
  /** Receives items whose files are no longer on their assignment, or turned out to be there. */
  readonly onRemoved?: ((items: readonly number[]) => void) | undefined;
  /** How far the service's lists may lag behind uploads, in ms: a file that is missing for longer did not arrive. */
  readonly listLagMs: number;
  readonly sleep: Sleep;
  /** Ms since 1970, for records and display. */
  readonly now: () => number;
  /** A clock that never jumps, for ages. */
  readonly steady: () => number;
};

export type Job = {
  readonly item: Item;
  readonly batch: Target & Pick<BatchRow, 'id' | 'uploadId' | 'nameTemplate' | 'onClash' | 'root'>;
  /** The folder's real path: files outside it are not sent. Undefined: the folder does not exist. */
  readonly within: string | undefined;
  /** `isThere`: the bytes added since the last call had been sent before. */
  readonly onBytes: (sentBytes: number, isThere?: boolean) => void;
  /** Receives why the file waits: a host is unreachable, or requested a pause; undefined once the file continues. */
  readonly onWaiting: (reason: DeskError | undefined) => void;
  /**
   * Holds a place ahead at first. A slot is taken once the file is signed, and released as soon as only the write to the
   * ledger is left.
   */
  readonly slot: Omit<HeldSlot, 'isParked'>;
  /** Aborted with `signal`, and when the batch pauses: then no file waits for a host or a retry. */
  readonly waitSignal: AbortSignal;
  readonly signal: AbortSignal;
};
