/** Receipts of uploads: what they are to say is gathered here, the upload engine writes them, and the host prints PDFs. */
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, parse } from 'node:path';
import { DeskError } from '../../../contract/errors.ts';
import type { Batch, SavedReceipts } from '../../../contract/uploads.ts';
import { localeOf, ownLocale } from '../../../words/formats.ts';
import { createHostSpeech } from '../../../words/speech/host-speech.ts';
import { chosenLanguage } from '../../../words/speech/languages.ts';
import type { Translate } from '../../../words/speech/speech.ts';
import { wallNow } from '../../async/clock.ts';
import type { Cache } from '../../cache/cache.ts';
import { replaceFile } from '../../data/replace-file.ts';
import { userFile } from '../../data/user-file.ts';
import type { Host } from '../../hosts/host.ts';
import { readPreferences } from '../../settings/preferences.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { ConnectionServices } from '../connection/connection-services.ts';
import { besideFolder, commonFolder, freePath } from './beside.ts';
import { isoDay, type PlannedReceipt, planReceipts, type ReceiptOrder, safeName } from './receipt-plan.ts';

/** Errors of all: `upload/batch-unknown`, `app/unsupported` where the host cannot do it, `data/unwritable`, those of `userFile`. */
export type Receipts = {
  /** Where the person chooses; undefined if they chose nothing. */
  readonly saveAsked: (order: ReceiptOrder) => Promise<SavedReceipts | undefined>;
  /** Beside the folder that was uploaded; never over another file. */
  readonly saveBeside: (order: ReceiptOrder) => Promise<SavedReceipts>;
  /** At `path`, which is a folder with `eachAssignment`. Answers the paths of the files. */
  readonly saveAt: (order: ReceiptOrder, path: string) => Promise<readonly string[]>;
  /** The path of receipts that were saved. Errors: `input/invalid` for an unknown id. */
  readonly pathOf: (savedId: string) => string;
};

type ReceiptsOptions = {
  readonly host: Host;
  readonly settings: SettingsStore;
  readonly cache: Pick<Cache, 'assignment'>;
  readonly connected: () => Pick<ConnectionServices, 'connection' | 'connectionId' | 'uploads' | 'watchedFolders'>;
};

type Plan = {
  readonly receipts: readonly PlannedReceipt[];
  readonly roots: readonly [string, ...string[]];
  readonly ending: string;
  /** The name of a folder for several of them. */
  readonly folderName: string;
  readonly t: Translate<'host'>;
  readonly locale: string;
};

const unsupported = (message: string): DeskError => new DeskError('app/unsupported', message);

export const createReceipts = ({ host, settings, cache, connected }: ReceiptsOptions): Receipts => {
  const saved = new Map<string, string>();

  const plan = async (order: ReceiptOrder, fileName?: string): Promise<Plan> => {
    const { connection, connectionId, uploads } = connected();
    const batches: Batch[] = [];
    for (const id of order.batchIds) batches.push(await uploads.get(id));
    const preferences = readPreferences(settings);
    const spoken = chosenLanguage(preferences, host.systemLanguage ?? 'en');
    const formats = { ...preferences, systemLocale: host.locale };
    const { t } = await createHostSpeech(spoken);
    const madeAtMs = wallNow();
    const [first = '', ...others] = batches.map(({ root }) => root);
    const roots = [first, ...others] as const;
    const name = basename(commonFolder(roots)) || basename(first);
    const receipts = planReceipts(order, batches, {
      ...{ t, spoken, formats, madeAtMs, name, fileName },
      service: { baseUrl: connection.baseUrl, sample: connection.sample },
      summaryOf: (id) => cache.assignment(connectionId, id)?.assignment,
    });
    return {
      ...{ receipts, roots, t, ending: `.${order.format}` },
      folderName: t('receipt.folderName', { name: safeName(name), date: isoDay(new Date(madeAtMs)) }),
      locale: localeOf(formats) ?? ownLocale(),
    };
  };

  const print = async ({ job }: PlannedReceipt, path: string, { t, locale }: Plan): Promise<void> => {
    if (!host.printPdf) throw unsupported('only the installed app can print a PDF');
    const folder = await mkdtemp(join(tmpdir(), 'inspection-desk-receipt-'));
    try {
      const page = join(folder, 'receipt.html');
      await connected().uploads.receipt(job, page);
      const pdf = await host.printPdf(page, {
        letter: usesLetter(locale),
        footer: (no, of) => t('receipt.page', { page: no, pages: of }),
      });
      await replaceFile(path, (temporary) => writeFile(temporary, pdf));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

  /** Where a host hands files over, their paths are its own. */
  const place = async (path: string): Promise<string> => (host.handOver ? path : userFile(path, host.home));

  const write = async (receipt: PlannedReceipt, path: string, whole: Plan): Promise<string> => {
    const at = await place(path);
    if (whole.ending === '.pdf') await print(receipt, at, whole);
    else await connected().uploads.receipt(receipt.job, at);
    return path;
  };

  const writeAll = async (whole: Plan, folder: string): Promise<readonly string[]> => {
    const paths: string[] = [];
    for (const receipt of whole.receipts) {
      paths.push(await write(receipt, join(folder, receipt.name + whole.ending), whole));
    }
    return paths;
  };

  const makeFolder = async (path: string): Promise<string> => {
    await place(join(path, 'receipt'));
    try {
      await mkdir(path, { recursive: true });
      return path;
    } catch (cause) {
      throw new DeskError('data/unwritable', 'the folder cannot be created', { details: { path }, cause });
    }
  };

  const remember = (path: string, files: number): SavedReceipts => {
    const savedId = randomUUID();
    saved.set(savedId, path);
    return { savedId, path, files };
  };

  /** Below `folder`, where nothing is replaced. */
  const saveInto = async (whole: Plan, folder: string): Promise<SavedReceipts> => {
    const [first, ...others] = whole.receipts;
    if (first && others.length === 0) {
      return remember(await write(first, await freePath(folder, first.name, whole.ending), whole), 1);
    }
    const own = await makeFolder(await freePath(folder, whole.folderName, ''));
    return remember(own, (await writeAll(whole, own)).length);
  };

  return {
    saveAsked: async (order) => {
      const whole = await plan(order);
      const [first, ...others] = whole.receipts;
      if (first && others.length === 0) {
        if (!host.pickSavePath) throw unsupported('this host has no save dialog');
        const path = await host.pickSavePath(first.name + whole.ending, [order.format]);
        if (path === undefined) return undefined;
        await write(first, path, whole);
        return remember((await host.handOver?.(path)) ?? path, 1);
      }
      // Who only hands files over has no folders to choose from.
      if (host.handOver) throw unsupported('several files cannot be handed over');
      const folder = await host.pickFolder();
      return folder === undefined ? undefined : saveInto(whole, folder);
    },
    saveBeside: async (order) => {
      if (host.handOver) throw unsupported('the folder is elsewhere');
      const whole = await plan(order);
      const watched = connected()
        .watchedFolders.list()
        .map(({ path }) => path);
      const folder = besideFolder(whole.roots, watched);
      if (folder === undefined) {
        throw new DeskError('data/unwritable', 'this folder has no parent', { details: { path: whole.roots[0] } });
      }
      return saveInto(whole, folder);
    },
    saveAt: async (order, path) => {
      if (order.eachAssignment) return writeAll(await plan(order), await makeFolder(path));
      const whole = await plan(order, parse(path).name);
      const [first, ...others] = whole.receipts;
      return first && others.length === 0 ? [await write(first, path, whole)] : writeAll(whole, dirname(path));
    },
    pathOf: (savedId) => {
      const path = saved.get(savedId);
      if (path !== undefined) return path;
      throw new DeskError('input/invalid', 'there is no such receipt', { details: { field: 'savedId' } });
    },
  };
};

/** Where paper is cut as in the United States. */
const LETTER_REGIONS: ReadonlySet<string | undefined> = new Set([
  ...['US', 'CA', 'MX', 'CL', 'CO', 'CR', 'DO', 'GT', 'NI', 'PA', 'PH', 'PR', 'SV', 'VE'],
]);

const usesLetter = (locale: string): boolean => LETTER_REGIONS.has(new Intl.Locale(locale).maximize().region);
