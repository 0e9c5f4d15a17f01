/** Follows uploads for a command: prints their progress, failures, counts and receipts. */
import { pick } from 'es-toolkit/object/pick';
import { DeskError, type ErrorData, fromErrorData, isOutageCode } from '../../../../contract/errors.ts';
import {
  type Batch,
  hasEnded,
  isHeldBack,
  type LeftOut,
  settledFiles,
  startsAtMs,
  sumOfBatches,
  workDone,
} from '../../../../contract/uploads.ts';
import type { Speech } from '../../../../words/speech.ts';
import { onAbort, orCancelled } from '../../../async/cancel.ts';
import { createCondition } from '../../../async/lock.ts';
import type { Desk } from '../../../core/desk.ts';
import { EXIT, exitCodeOf } from '../../shared/exit-codes.ts';
import type { Output } from './output.ts';
import { formatBytes, formatTime, isoTime } from './output.ts';
import { type CliContext, NETWORK_PATIENCE_MS } from './with-desk.ts';

type Following = Pick<CliContext, 'output' | 'signal' | 'files' | 'running'>;

/**
 * Begins and follows one batch after another (`followBatch`). With several batches, the path of its folder precedes
 * what is printed about each. An error of one batch is printed, and does not stop the remaining batches. Returns the
 * highest exit code, or `EXIT.interrupted` if `signal` is aborted before the last batch begins.
 */
export const followEach = async (
  desk: Desk,
  context: Following,
  batches: readonly Batch[],
  begin: (batch: Batch) => Promise<Batch>,
): Promise<number> => {
  let exitCode: number = EXIT.done;
  for (const [index, batch] of batches.entries()) {
    if (context.signal.aborted) {
      for (const left of batches.slice(index)) if (!hasEnded(left)) sayUnfinished(context.output, left);
      return EXIT.interrupted;
    }
    const code = await orPrinted(context, async () => {
      context.files.own([batch.batchId]);
      if (batches.length > 1) context.output.say(`${batch.root}:`);
      await begin(batch);
      return followBatch(desk, context, batch.batchId);
    });
    exitCode = Math.max(exitCode, code);
  }
  return exitCode;
};

/**
 * Resolves to the exit code of `step`. If `step` rejects with a `DeskError`, prints the error, and resolves to the exit
 * code for it.
 */
export const orPrinted = async (
  { output }: Pick<Following, 'output'>,
  step: () => Promise<number>,
): Promise<number> => {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
    output.error(error);
    return exitCodeOf(error.code);
  }
};

/**
 * Waits until the batch neither runs nor is held back (`isHeldBack`), and prints the result. The exit code says whether
 * everything was uploaded. Ctrl-C stops the batch; `uploads resume` continues it.
 */
export const followBatch = async (desk: Desk, context: Following, id: string): Promise<number> => {
  const { output } = context;
  const beganMs = performance.now();
  const [batch] = await toRest(desk, context, [id]);
  if (!batch) throw new Error('the batch that was asked for is returned');
  const seconds = secondsSince(beganMs);
  // The command was interrupted. The reason why the batch is held back is not an error.
  if (isHeldBack(batch)) {
    output.event(summaryEvent(batch, seconds));
    sayUnfinished(output, batch);
    return EXIT.interrupted;
  }
  if (batch.reason) output.error(fromErrorData(batch.reason));
  const saved = await printReceipt(desk, output, batch.uploadId);
  await summarize(desk, output, batch, seconds);
  if (batch.state === 'cancelled') output.say(output.speech.t('cli.upload.cancelled'));
  if (hasEnded(batch)) return Math.max(saved, exitCodeOfBatch(batch));
  sayUnfinished(output, batch);
  return exitCodeOfBatch(batch);
};

/** The counts of an upload, summed over its batches. `exitCode`: the highest exit code of these batches. */
export type FollowedUpload = ReturnType<typeof sumOfBatches> & { readonly exitCode: number };

export const NOTHING_SENT: FollowedUpload = { ...sumOfBatches([]), exitCode: EXIT.done };

const MOST_LISTED = 10;

/**
 * Waits until no batch of an upload runs or is held back (`isHeldBack`). Prints errors and some failed files, but no
 * summary and no receipt.
 */
export const followUpload = async (
  desk: Desk,
  context: Following,
  batchIds: readonly string[],
): Promise<FollowedUpload> => {
  const { output } = context;
  const batches = await toRest(desk, context, batchIds);
  const reasons = new Map(
    batches.flatMap((batch) => (batch.reason && !isHeldBack(batch) ? [[batch.reason.code, batch.reason]] : [])),
  );
  for (const reason of reasons.values()) output.error(fromErrorData(reason));
  for (const batch of batches.filter(({ failed }) => failed > 0).slice(0, MOST_LISTED))
    await sayFailures(desk, output, batch);
  for (const batch of batches) if (!hasEnded(batch)) sayUnfinished(output, batch);
  return { ...sumOfBatches(batches), exitCode: Math.max(EXIT.done, ...batches.map(exitCodeOfBatch)) };
};

/** Returns the exit code of a batch. A folder or file that could not be read counts as a failure. */
const exitCodeOfBatch = (batch: Batch): number => {
  const { failed, notReplaced = 0, leftOut } = batch;
  if (hasEnded(batch)) return failed + notReplaced + leftOut.unreadable > 0 ? EXIT.failures : EXIT.done;
  return batch.reason && !isHeldBack(batch) ? exitCodeOf(batch.reason.code) : EXIT.interrupted;
};

/**
 * Shows progress until none of the batches runs or is held back (`isHeldBack`). Resolves to the batches. In the
 * command's own desk, aborting `signal` stops the batches. In a running desk, Ctrl-C or a host that stays unreachable
 * pauses them. If the command or the desk ends, the batches continue, and the promise rejects with the reason of
 * `running.left`.
 */
const toRest = async (
  desk: Desk,
  { output, signal, files, running }: Following,
  ids: readonly string[],
): Promise<readonly Batch[]> => {
  const { uploads } = desk.connected();
  files.own(ids);
  const pauseAll = (reason?: ErrorData): void => {
    const going = ids.filter((id) => seen.get(id)?.state !== 'paused');
    // A batch that has ended in the meantime cannot be paused.
    for (const id of going) uploads.pause(id, reason).catch(() => {});
  };
  const outageLimit = running && createOutageLimit(pauseAll);
  const changed = createCondition();
  const wanted = new Set(ids);
  const seen = new Map<string, Batch>();
  const show = createProgressLine(output);
  /** The last sentence about waiting: the batches of an upload usually wait for the same time. */
  let said = '';
  const unsubscribe = desk.onEvent((event) => {
    if (event.type !== 'batches') return;
    const own = event.batches.filter(({ batchId }) => wanted.has(batchId));
    for (const batch of own) {
      seen.set(batch.batchId, batch);
      output.event(progressEvent(batch));
      outageLimit?.see(batch);
    }
    const last = own.at(-1);
    if (last) show({ ...last, ...sumOfBatches([...seen.values()]) });
    changed.notifyAll();
  });
  const untilAtRest = async (id: string): Promise<Batch> => {
    for (let saidAt: number | string | undefined; ; ) {
      const next = changed.wait();
      const batch = await uploads.ended(id);
      if (!isHeldBack(batch) || signal.aborted) return batch;
      const at = startsAtMs(batch, new Date()) ?? batch.reason?.code;
      if (at !== undefined && at !== saidAt) {
        output.event(progressEvent(batch));
        const text = laterText(batch, output.speech);
        if (text !== said) output.say(text);
        said = text;
      }
      saidAt = at;
      await next;
    }
  };
  const stop = (): void => {
    if (!running) void uploads.close();
    else if (running.interrupt.aborted) pauseAll();
    changed.notifyAll();
  };
  const unlisten = onAbort(signal, stop);
  try {
    return await orCancelled(Promise.all(ids.map(untilAtRest)), running?.left);
  } finally {
    outageLimit?.end();
    unsubscribe();
    unlisten();
    output.status('');
  }
};

/**
 * Creates a limit for how long batches in a running desk wait for an unreachable host, so that a script gets an error.
 * The desk itself sets no limit. Calls `pause` with the reason once a batch has waited for `NETWORK_PATIENCE_MS`
 * without a break.
 */
export const createOutageLimit = (pause: (reason: ErrorData) => void) => {
  const waiting = new Map<string, NodeJS.Timeout>();
  const stop = (id: string): void => {
    clearTimeout(waiting.get(id));
    waiting.delete(id);
  };
  return {
    see: ({ batchId, state, reason }: Batch): void => {
      if (state !== 'running' || !reason || !isOutageCode(reason.code)) stop(batchId);
      else if (!waiting.has(batchId)) waiting.set(batchId, setTimeout(pause, NETWORK_PATIENCE_MS, reason).unref());
    },
    end: (): void => [...waiting.keys()].forEach(stop),
  };
};

const laterText = (batch: Batch, { t, errorText }: Speech<'host'>): string => {
  const at = startsAtMs(batch, new Date());
  if (at !== undefined) return t('cli.upload.later', { at: formatTime(at) });
  const { title = '', todo = '' } = batch.reason ? errorText(batch.reason) : {};
  return `${title} ${todo}`;
};

const sayUnfinished = ({ say, speech }: Output, batch: Batch): void => {
  const { batchId: id } = batch;
  const at = startsAtMs(batch, new Date());
  say(
    at === undefined ? speech.t('cli.upload.stopped', { id }) : speech.t('cli.upload.kept', { id, at: formatTime(at) }),
  );
};

/** `beganMs`: a time of `performance.now()`. */
export const secondsSince = (beganMs: number): number => Math.round(performance.now() - beganMs) / 1000;

const summaryEvent = (batch: Batch, seconds: number) => ({
  type: 'summary',
  batch: batch.batchId,
  ...countsOf(batch),
  seconds,
});

export const countsOf = (batch: Batch) => ({
  ...pick(batch, ['files', 'uploaded', 'removed', 'resent', 'skipped', 'nameTaken', 'failed', 'notReplaced', 'bytes']),
  ...unreadableOf(batch),
});

/**
 * Returns an object with the number of files and folders that could not be read, or an empty object if there are none.
 */
export const unreadableOf = ({ leftOut: { unreadable } }: Pick<Batch, 'leftOut'>) =>
  unreadable > 0 ? { unreadable } : {};

/** Prints the counts of a batch and some of its failed files. `seconds`: how long it was followed. */
export const summarize = async (desk: Desk, output: Output, batch: Batch, seconds: number): Promise<void> => {
  output.event(summaryEvent(batch, seconds));
  output.say(summaryWords({ ...batch, seconds }, output));
  await sayFailures(desk, output, batch);
};

type Counted = Pick<Batch, 'files' | 'uploaded' | 'skipped' | 'failed' | 'bytes' | 'leftOut'> &
  Pick<Batch, 'removed' | 'resent' | 'notReplaced'> & { readonly seconds: number };

export const summaryWords = (
  { files, uploaded, removed = 0, resent = 0, skipped, failed, notReplaced = 0, bytes, leftOut, seconds }: Counted,
  { speech }: Pick<Output, 'speech'>,
): string =>
  speech.t('cli.upload.summary', {
    done: uploaded,
    count: files,
    skipped: [
      resent > 0 && speech.t('cli.upload.resent', { count: resent }),
      removed > 0 && speech.t('cli.upload.removed', { count: removed }),
      skipped > 0 && speech.t('cli.upload.skipped', { count: skipped }),
      notReplaced > 0 && speech.t('cli.upload.notReplaced', { count: notReplaced }),
    ]
      .filter((part) => part !== false)
      .map((part) => `, ${part}`)
      .join(''),
    failed,
    size: formatBytes(bytes, speech),
    seconds: seconds.toLocaleString(speech.locale, oneDigit),
    leftOut: leftOutWords(leftOut, speech.t),
  });

const oneDigit = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;

const sayFailures = async (
  desk: Desk,
  output: Output,
  { batchId: id, failed }: Pick<Batch, 'batchId' | 'failed'>,
): Promise<void> => {
  if (failed === 0) return;
  const { t, fileErrorText } = output.speech;
  const { files: worst } = await desk
    .connected()
    .uploads.files(id, { states: ['failed', 'uncertain'], offset: 0, limit: 10 });
  for (const { path, error } of worst)
    output.say(`  ${path}: ${error ? fileErrorText(error).title : ''} (${error?.code})`);
  output.say(t('cli.upload.next', { id }));
};

/** Returns a text with the numbers of files left out, to be added to a sentence; empty if no file was left out. */
export const leftOutWords = (
  { hidden, system, links, special, unreadable, later = 0 }: LeftOut,
  t: Speech<'host'>['t'],
): string => {
  const total = hidden + system + links + special + unreadable + later;
  if (total === 0) return '';
  const added = later > 0 ? t('cli.upload.addedLater', { count: later }) : '';
  return t('cli.upload.leftOut', { hidden, system, links, special, unreadable, added });
};

/** The minimum time between lines of progress if the output is not a terminal. */
const PLAIN_INTERVAL_MS = 10_000;

export const progressEvent = (batch: Batch) => {
  const { batchId, reason } = batch;
  return {
    type: 'progress',
    batch: batchId,
    ...pick(batch, ['state', 'files', 'uploaded', 'skipped', 'failed', 'bytes', 'bytesSent', 'bytesPerSecond']),
    waitsFor: reason && waitsFor(reason, startsAtMs(batch, new Date())),
  };
};

export const createProgressLine = (output: Output): ((batch: Batch) => void) => {
  let lastPlainMs = performance.now();
  return (batch) => {
    if (output.isTerminal) {
      output.status(progressLine(batch, output.speech));
    } else if (performance.now() - lastPlainMs >= PLAIN_INTERVAL_MS) {
      lastPlainMs = performance.now();
      output.say(progressLine(batch, output.speech));
    }
  };
};

const BAR = 24;

/**
 * Returns why the upload waits, as data that scripts can read. `until`: when the schedule allows the upload, or when
 * the host is tried again.
 */
const waitsFor = ({ code, details }: ErrorData, startsAt: number | undefined) => ({
  code,
  ...pick(details, ['host', 'proxy']),
  until: isoTime(startsAt ?? details.until),
});

const waitWords = ({ reason }: Batch, { t, errorText }: Speech<'host'>): string => {
  if (!reason) return '';
  const { until } = reason.details;
  const end = typeof until === 'number' ? ` ${t('cli.upload.nextAttempt', { at: formatTime(until) })}` : '';
  return `  ${t('cli.upload.waiting', { reason: errorText(reason).title })}${end}`;
};

const progressLine = (batch: Batch, speech: Speech<'host'>): string => {
  const { t } = speech;
  const bar = '█'.repeat(Math.floor(workDone([batch]) * BAR)).padEnd(BAR, '░');
  const settled = settledFiles(batch);
  if (batch.state === 'scanning') {
    return t('cli.upload.scanning', { count: batch.files, settled, wait: waitWords(batch, speech) });
  }
  const failed = batch.failed > 0 ? `, ${t('cli.upload.failed', { count: batch.failed })}` : '';
  const amount = t('cli.upload.of', {
    done: formatBytes(batch.bytesSent, speech),
    all: formatBytes(batch.bytes, speech),
  });
  const speed = batch.bytesPerSecond > 0 ? `  ${formatBytes(batch.bytesPerSecond, speech)}/s` : '';
  const pace = waitWords(batch, speech) || speed;
  return `${bar} ${settled}/${t('cli.file', { count: batch.files })}${failed}  ${amount}${pace}`;
};

/**
 * Waits for the automatic receipt of an upload, if there is one, and prints its path. Returns `EXIT.done`, or the exit
 * code of the error if the receipt cannot be saved.
 */
export const printReceipt = (desk: Desk, output: Output, uploadId: string): Promise<number> =>
  orPrinted({ output }, async () => {
    const saved = await desk.automaticReceipts.of(uploadId);
    if (!saved) return EXIT.done;
    output.event({ type: 'receipt', upload: uploadId, path: saved.path, files: saved.files });
    output.say(output.speech.t('cli.upload.receiptSaved', { path: saved.path }));
    return EXIT.done;
  });
