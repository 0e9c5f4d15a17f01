/** Saves receipts and reports: gathers their content, which the upload engine writes and the host prints as PDF. */
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, parse } from 'node:path';
import { wholeMonth } from '../../../contract/day-range.ts';
import { DeskError } from '../../../contract/errors.ts';
import { type AssignmentSummary, assignmentName } from '../../../contract/resources.ts';
import {
  type Batch,
  hasEnded,
  type ReceiptFormat,
  type ReportOrder,
  type SavedReceipts,
} from '../../../contract/uploads.ts';
import { localeOf, ownLocale } from '../../../words/formats.ts';
import { chosenLanguage } from '../../../words/languages.ts';
import { createHostSpeech, type Translate } from '../../../words/speech.ts';
import { wallNow } from '../../async/clock.ts';
import { createKeyedLock } from '../../async/lock.ts';
import type { Cache } from '../../cache/cache.ts';
import { localDay } from '../../data/csv.ts';
import { modeOf, replaceFile, safeName } from '../../data/files.ts';
import { isWithin } from '../../data/user-file.ts';
import { readPreferences } from '../../settings/preferences.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { RemoteUploads } from '../../uploads/engine/start-engine.ts';
import type { ReceiptJob, Verified } from '../../uploads/receipts/write-receipt.ts';
import type { ConnectionServices } from '../connection/connections.ts';
import type { Host } from '../host.ts';
import type { createLetterhead } from './letterhead.ts';
import type { createVerifications } from './verifications.ts';

export type Receipts = ReturnType<typeof createReceipts>;

type ReceiptsOptions = {
  readonly host: Host;
  readonly settings: SettingsStore;
  readonly cache: Pick<Cache, 'summaryOf'>;
  readonly letterhead: Pick<ReturnType<typeof createLetterhead>, 'read'>;
  readonly verifications: Pick<ReturnType<typeof createVerifications>, 'of'>;
  /** Checks the path of a file that is to be written for the user, and resolves to its real path. */
  readonly fileToWrite: (path: string) => Promise<string>;
  /** Assigns an id to a saved file or folder, so that the user can open it. */
  readonly adoptSaved: (path: string) => Promise<string>;
  readonly connected: () => Pick<ConnectionServices, 'connection' | 'connectionId' | 'uploads' | 'watchedFolders'>;
};

const unsupported = (message: string): DeskError => new DeskError('app/unsupported', message);

/**
 * Creates the functions that save receipts and reports. They reject with `upload/batch-unknown`, `app/unsupported` if
 * the host lacks a required function, `data/unwritable`, and the errors of `fileToWrite` and of the ledger.
 */
export const createReceipts = (options: ReceiptsOptions) => {
  const { host, connected, fileToWrite, adoptSaved } = options;
  const folders = createKeyedLock();

  const plan = (order: Order, fileName?: string): Promise<Plan> => planOrder(options, order, fileName);
  const print = async ({ job }: PlannedReceipt, path: string, { t, locale }: Plan): Promise<void> => {
    if (!host.printPdf) throw unsupported('only the installed app can print a PDF');
    // If the process is killed, the next start removes the page, as it does other unfinished files.
    const page = join(host.home, `receipt.${randomUUID()}.part`);
    try {
      await connected().uploads.receipt(job, page);
      const pdf = await host.printPdf(page, {
        letter: usesLetter(locale),
        footer: (no, of) => t('receipt.page', { page: no, pages: of }),
      });
      const mode = await modeOf(path);
      await replaceFile(path, (temporary) => writeFile(temporary, pdf, { mode }));
    } finally {
      await rm(page, { force: true });
    }
  };

  /**
   * Places a new file in a folder that another user may share, without `fileToWrite`, which follows links. If that user
   * creates a link at the path, the file replaces the link.
   */
  const placeNew = async (path: string): Promise<string> => path;
  /** Checks that files may be written to `folder`. The random name cannot be that of an existing link. */
  const checkFolder = async (folder: string): Promise<void> => void (await fileToWrite(join(folder, randomUUID())));
  const makeFolder = async (path: string, recursive: boolean): Promise<string> => {
    await checkFolder(path);
    await mkdir(path, { recursive }).catch((cause) => {
      throw new DeskError('data/unwritable', 'the folder cannot be created', { details: { path }, cause });
    });
    return path;
  };

  const write = async (receipt: PlannedReceipt, path: string, whole: Plan, placed = fileToWrite): Promise<string> => {
    const at = await placed(path);
    if (whole.ending === '.pdf') await print(receipt, at, whole);
    else await connected().uploads.receipt(receipt.job, at);
    return path;
  };

  const writeAll = async (whole: Plan, folder: string, placed = fileToWrite): Promise<readonly string[]> => {
    const paths: string[] = [];
    for (const receipt of whole.receipts) {
      paths.push(await write(receipt, join(folder, receipt.name + whole.ending), whole, placed));
    }
    return paths;
  };

  const adopt = async (path: string, files: number): Promise<SavedReceipts> => ({
    savedId: await adoptSaved(path),
    path,
    files,
  });

  /** Saves one receipt in `folder`, or several in a new folder below it. Replaces no file and follows no link. */
  const saveInto = async (whole: Plan, folder: string): Promise<SavedReceipts> => {
    const { only, ending } = whole;
    // A free path is free only until another receipt of the same name is saved.
    using _ = await folders.take(folder, NEVER);
    await checkFolder(folder);
    if (only) return adopt(await write(only, await freePath(folder, only.name, ending), whole, placeNew), 1);
    const own = await makeFolder(await freePath(folder, whole.folderName, ''), false);
    return adopt(own, (await writeAll(whole, own, placeNew)).length);
  };

  return {
    /**
     * Saves the receipts of an order at a path that the user chooses. Resolves to undefined if the user cancels, or if
     * several receipts are to be saved and the host has no folder picker.
     */
    saveAsked: async (order: Order): Promise<SavedReceipts | undefined> => {
      const whole = await plan(order);
      const { only } = whole;
      if (only) {
        if (!host.pickSavePath) throw unsupported('this host has no save dialog');
        const path = await host.pickSavePath(only.name + whole.ending, [order.format]);
        if (path === undefined) return undefined;
        await write(only, path, whole);
        return adopt((await host.handOver?.(path)) ?? path, 1);
      }
      // On a host with `handOver`, the user cannot choose a folder.
      if (host.handOver) throw unsupported('several files cannot be handed over');
      const folder = await host.pickFolder?.();
      return folder === undefined ? undefined : saveInto(whole, folder);
    },
    /**
     * Saves the receipts of an order next to the uploaded folders (`besideFolder`), but never in a watched folder.
     * Never overwrites a file.
     */
    saveBeside: async (order: ReceiptOrder): Promise<SavedReceipts> => {
      if (host.handOver) throw unsupported('the folder is elsewhere');
      const whole = await plan(order);
      const watched = connected().watchedFolders.list();
      const folder = besideFolder(
        whole.roots,
        watched.map(({ path }) => path),
      );
      if (folder !== undefined) return saveInto(whole, folder);
      throw new DeskError('data/unwritable', 'this folder has no parent', { details: { path: whole.roots[0] } });
    },
    /**
     * Saves the receipts of an order. `path` is a folder if the order has `eachAssignment`, otherwise a file; a PDF
     * that would be too long becomes several PDFs in the folder of that file. Resolves to `path`, or to the path of the
     * first of several PDFs.
     */
    saveAt: async (order: Order, path: string): Promise<string> => {
      if ('eachAssignment' in order && order.eachAssignment) {
        await writeAll(await plan(order), await makeFolder(path, true));
        return path;
      }
      const whole = await plan(order, parse(path).name);
      if (whole.only) return write(whole.only, path, whole);
      const [first = path] = await writeAll(whole, dirname(path));
      return first;
    },
  };
};

const NEVER = new AbortController().signal;

type Plan = Awaited<ReturnType<typeof planOrder>>;

const planOrder = async (
  { host, settings, cache, letterhead, verifications, connected }: ReceiptsOptions,
  order: Order,
  fileName?: string,
) => {
  const { connection, connectionId, uploads } = connected();
  const batches: readonly Batch[] =
    'by' in order
      ? (await uploads.list()).filter((batch) => isInPeriod(batch, order))
      : await Promise.all(order.batchIds.map((id) => uploads.get(id)));
  const preferences = readPreferences(settings);
  const spoken = chosenLanguage(preferences, host.systemLanguage ?? 'en');
  const formats = { ...preferences, systemLocale: host.locale };
  const { t } = await createHostSpeech(spoken);
  const madeAtMs = wallNow();
  const [first = '', ...others] = batches.map(({ root }) => root);
  const roots = [first, ...others] as const;
  const receipts = planReceipts(order, batches, {
    t,
    spoken,
    formats,
    madeAtMs,
    fileName,
    leftOutFolders: await uploads.leftOutFolders(wholeUploads(batches, uploads.present())),
    letterhead: await letterhead.read(),
    service: { baseUrl: connection.baseUrl, sample: connection.sample },
    summaryOf: (id) => cache.summaryOf(connectionId, id),
    verifiedOf: verifications.of,
  });
  return {
    receipts,
    only: receipts.length === 1 ? receipts[0] : undefined,
    roots,
    t,
    ending: `.${order.format}`,
    folderName: t('receipt.folderName', {
      name: safeName(nameOfAll(batches), 'upload'),
      date: localDay(new Date(madeAtMs)),
    }),
    locale: localeOf(formats) ?? ownLocale(),
  };
};

/**
 * Returns the uploads whose batches, except cancelled ones, are all in `batches`. Only the receipts of such uploads
 * name the folders that were left out, because a part of an upload may be for another customer.
 */
const wholeUploads = (batches: readonly Batch[], all: readonly Batch[]): readonly string[] => {
  const included = new Set(batches.map(({ batchId }) => batchId));
  const isElsewhere = ({ batchId, state }: Batch): boolean => state !== 'cancelled' && !included.has(batchId);
  const parts = new Set(all.filter(isElsewhere).map(({ uploadId }) => uploadId));
  return [...new Set(batches.map(({ uploadId }) => uploadId))].filter((uploadId) => !parts.has(uploadId));
};

const LETTER_REGIONS: ReadonlySet<string | undefined> = new Set([
  ...['US', 'CA', 'MX', 'CL', 'CO', 'CR', 'DO', 'GT', 'NI', 'PA', 'PH', 'PR', 'SV', 'VE'],
]);

const usesLetter = (locale: string): boolean => LETTER_REGIONS.has(new Intl.Locale(locale).maximize().region);

/** The receipts to save. `listsFiles`: whether a PDF lists the files; other formats always list them. */
type ReceiptOrder = {
  readonly batchIds: readonly string[];
  readonly format: ReceiptFormat;
  readonly eachAssignment: boolean;
  readonly listsFiles: boolean;
};
type Order = ReceiptOrder | ReportOrder;

const isInPeriod = ({ createdAtMs }: Batch, { fromMs, beforeMs }: ReportOrder): boolean =>
  createdAtMs >= fromMs && createdAtMs < beforeMs;

/** Formats the period: as `2026-11` if it is a whole month, otherwise as its first and its last day. */
const periodName = (period: ReportOrder): string => {
  const [first, last] = [localDay(new Date(period.fromMs)), localDay(new Date(period.beforeMs - 1))];
  return wholeMonth(period) ? first.slice(0, -3) : `${first} – ${last}`;
};

type PlannedReceipt = { readonly name: string; readonly job: ReceiptJob };

type PlanOptions = Omit<ReceiptJob, 'format' | 'listsFiles' | 'report' | 'batches' | 'part'> & {
  readonly t: Translate<'host'>;
  /** The name of the file, without the extension. Default: the subject, or the period of a report. */
  readonly fileName?: string | undefined;
  readonly summaryOf: (AssignmentId: string) => AssignmentSummary | undefined;
  readonly verifiedOf?: (batchId: string) => Verified | undefined;
};

/** The maximum number of files in one PDF. Chromium would need too much memory to print longer lists. */
const MOST_PRINTED_FILES = 5_000;

/**
 * Plans one receipt, or one for each assignment. A PDF that would be too long is split. No two receipts have the same
 * name.
 */
export const planReceipts = (
  order: Omit<ReceiptOrder, 'batchIds'> | ReportOrder,
  batches: readonly Batch[],
  { t, fileName, summaryOf, verifiedOf, leftOutFolders, ...style }: PlanOptions,
  mostPrinted = MOST_PRINTED_FILES,
): readonly PlannedReceipt[] => {
  const { format } = order;
  const report = 'by' in order ? order : undefined;
  const listsFiles = order.listsFiles || (report === undefined && format !== 'pdf');
  const byAssignment = [...Map.groupBy(batches, ({ AssignmentId }) => AssignmentId)];
  const groups =
    'eachAssignment' in order && order.eachAssignment
      ? byAssignment.map(([id, of]) => ({ about: nameOf(id, summaryOf(id)), of }))
      : [{ about: nameOfAll(batches), of: batches }];
  const date = localDay(new Date(style.madeAtMs));
  const receipts = groups.flatMap(({ about, of }): readonly PlannedReceipt[] => {
    const whole = {
      name:
        fileName ??
        (report
          ? t('receipt.reportName', { period: periodName(report) })
          : t('receipt.fileName', { name: safeName(about, 'upload'), date })),
      job: {
        ...style,
        listsFiles,
        // Folders that were left out belong to no assignment, so they are not listed if there are several receipts.
        ...(!report && groups.length === 1 && { leftOutFolders }),
        ...(report && { report: { by: report.by, fromMs: report.fromMs, beforeMs: report.beforeMs } }),
        format: format === 'pdf' ? ('page' as const) : format,
        batches: of.map(({ batchId, AssignmentId }) => ({
          batchId,
          assignment: summaryOf(AssignmentId),
          verified: verifiedOf?.(batchId),
        })),
      },
    };
    const files = of.reduce((sum, batch) => sum + batch.files, 0);
    const parts = Math.ceil(files / mostPrinted);
    if (format !== 'pdf' || !listsFiles || parts <= 1) return [whole];
    return Array.from({ length: parts }, (_, at) => ({
      name: t('receipt.partName', { name: whole.name, no: at + 1, of: parts }),
      job: {
        ...whole.job,
        part: { no: at + 1, of: parts, first: at * mostPrinted + 1, last: Math.min(files, (at + 1) * mostPrinted) },
      },
    }));
  });
  return distinct(receipts);
};

/** Returns the name of the only uploaded folder, zip or mail, or of the deepest folder that contains them all. */
const nameOfAll = (batches: readonly Batch[]): string => {
  const [first = '', ...others] = batches.map(({ root, only = '' }) => join(root, only));
  return basename(commonFolder([first, ...others])) || basename(first);
};

const nameOf = (id: string, summary: AssignmentSummary | undefined): string =>
  (summary && assignmentName(summary)) || id;

/** Numbers receipts whose names are equal or differ only in case, which some file systems ignore. */
const distinct = (receipts: readonly PlannedReceipt[]): readonly PlannedReceipt[] => {
  const taken = new Set<string>();
  return receipts.map((receipt) => {
    let { name } = receipt;
    for (let no = 2; taken.has(name.toLowerCase()); no += 1) name = `${receipt.name} (${no})`;
    taken.add(name.toLowerCase());
    return { ...receipt, name };
  });
};

/**
 * Returns the deepest folder that contains all of `folders`; for a single folder, the folder itself. If they are on
 * different drives, returns the drive of the first.
 */
const commonFolder = (folders: readonly [string, ...string[]]): string => {
  let [common] = folders;
  while (!folders.every((folder) => isWithin(common, folder)) && dirname(common) !== common) common = dirname(common);
  return common;
};

/**
 * Returns the parent of the deepest folder that contains all `roots`. A receipt saved there is not uploaded when that
 * folder is uploaded again. If the parent is one of the `scanned` folders, which are scanned repeatedly, or inside one,
 * returns the parent of the scanned folder instead. Returns undefined if there is no such parent.
 */
export const besideFolder = (roots: readonly [string, ...string[]], scanned: readonly string[]): string | undefined => {
  let inner = commonFolder(roots);
  for (;;) {
    const outer = dirname(inner);
    if (outer === inner) return undefined;
    const around = scanned.find((folder) => isWithin(folder, outer));
    if (around === undefined) return outer;
    inner = around;
  }
};

export const freePath = async (folder: string, name: string, ending: string): Promise<string> => {
  for (let no = 1; ; no += 1) {
    const path = join(folder, `${name}${no === 1 ? '' : ` (${no})`}${ending}`);
    // A link counts as taken even if its target does not exist.
    const isTaken = await lstat(path).then(
      () => true,
      () => false,
    );
    if (!isTaken) return path;
  }
};

// A receipt is saved once the last batch of an upload has ended, even after a restart of the app.

export type AutomaticReceipts = ReturnType<typeof createAutomaticReceipts>;

type Engine = Pick<RemoteUploads, 'present' | 'receiptSaved'>;

type AutomaticReceiptsOptions = {
  readonly receipts: Pick<Receipts, 'saveBeside'>;
  readonly uploads: () => Engine | undefined;
  readonly onNotice: (error: DeskError) => void;
  readonly onBug: (error: unknown) => void;
};

/**
 * The delay before the next attempt to save a receipt on a drive that does not respond, for example while it sleeps.
 */
const RETRY_MS = 15 * 60_000;

export const createAutomaticReceipts = ({ receipts, uploads, onNotice, onBug }: AutomaticReceiptsOptions) => {
  const saved = new Map<string, Promise<SavedReceipts | undefined>>();

  const retryLater = (uploadId: string): void => {
    const failed = saved.get(uploadId);
    const retry = (): void => {
      // If the upload has been reopened, its end begins another attempt.
      if (saved.get(uploadId) !== failed) return;
      saved.delete(uploadId);
      see(uploads()?.present() ?? []);
    };
    setTimeout(retry, RETRY_MS).unref();
  };
  const save = async (engine: Engine, batches: readonly Batch[], format: ReceiptFormat) => {
    const [{ uploadId } = { uploadId: '' }] = batches;
    const batchIds = batches.filter(({ state }) => state === 'finished').map(({ batchId }) => batchId);
    const order = { batchIds, format, eachAssignment: false, listsFiles: false };
    const receipt = await (batchIds.length > 0 ? receipts.saveBeside(order) : undefined)?.catch(async (error) => {
      const code = error instanceof DeskError ? error.code : undefined;
      if (code === 'upload/drive-unresponsive' || code === 'upload/engine-stopped') retryLater(uploadId);
      // Other errors would recur at each attempt. A receipt that this host cannot write is left to another host.
      else if (code !== 'app/unsupported') await engine.receiptSaved(uploadId);
      throw error;
    });
    await engine.receiptSaved(uploadId);
    return receipt;
  };
  const saveOnce = async (uploadId: string): Promise<SavedReceipts | undefined> => {
    const before = saved.get(uploadId);
    if (before) return before;
    const engine = uploads();
    const batches = engine?.present().filter((batch) => batch.uploadId === uploadId) ?? [];
    const format = batches.find(({ receipt }) => receipt !== undefined)?.receipt;
    if (!engine || format === undefined || !batches.every(hasEnded)) return undefined;
    const saving = save(engine, batches, format);
    saved.set(uploadId, saving);
    return saving;
  };

  const see = (batches: readonly Batch[]): void => {
    // A reopened batch ends again, and its upload then gets another receipt.
    for (const batch of batches) if (!hasEnded(batch)) saved.delete(batch.uploadId);
    const ended = batches.filter((batch) => batch.receipt !== undefined && hasEnded(batch));
    for (const uploadId of new Set(ended.map((batch) => batch.uploadId))) {
      saveOnce(uploadId).catch((error) => (error instanceof DeskError ? onNotice(error) : onBug(error)));
    }
  };

  return {
    /** To be called with changed batches, and at the start of the app with all batches. */
    see,
    /**
     * Saves the receipt of an upload that has ended, and resolves to it. Later calls resolve to the same receipt.
     * Resolves to undefined if the upload has not ended, if all its batches were cancelled, or if no receipt is wanted.
     * Errors: those of `saveBeside`.
     */
    of: saveOnce,
  };
};
