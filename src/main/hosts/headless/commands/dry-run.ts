/** upload --dry-run: what would be sent, and under which names. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type NameTemplate, type OnClash, ownNameTemplate } from '../../../../contract/uploads.ts';
import type { Speech } from '../../../../words/speech.ts';
import { connectionIdOf } from '../../../auth/connection-id.ts';
import type { PlannedRow } from '../../../core/drafts/draft-thread.ts';
import { openConfSettings } from '../../../settings/conf-settings.ts';
import { policyLayer } from '../../../settings/policy/overlay.ts';
import { environmentLayer, resolveConnection, settingsLayer } from '../../../settings/resolve-connection.ts';
import { openSettings } from '../../../settings/settings.ts';
import {
  type Naming,
  type PlannedFile,
  type PlannedFolder,
  type PlannedSource,
  planFolders,
} from '../../../uploads/engine/plan-names.ts';
import { readLedger } from '../../../uploads/ledger/ledger.ts';
import { createHasher } from '../../../uploads/source/hasher.ts';
import { NOTHING_LEFT_OUT, sumOfLeftOut } from '../../../uploads/source/left-out.ts';
import { type OpenFile, openLocalFile } from '../../../uploads/source/local-file.ts';
import { SEND_TIMEOUTS } from '../../../uploads/storage/put-request.ts';
import { createContentOf } from '../../../uploads/transfer/own-name.ts';
import { EXIT } from '../../shared/exit-codes.ts';
import { type FollowedUpload, leftOutWords, NOTHING_SENT } from '../support/follow.ts';
import { homeOf, optionsLayer } from '../support/options.ts';
import { type Column, formatBytes, streamTable } from '../support/table.ts';
import type { CliContext } from '../support/with-desk.ts';

type DryRun = {
  readonly folders: readonly string[];
  readonly assignmentId: string;
  readonly nameTemplate: NameTemplate | undefined;
  readonly onClash: OnClash | undefined;
};

/** Reads the folders as `upload` would; nothing is sent or written. */
export const dryRun = async (
  context: CliContext,
  { folders, assignmentId, nameTemplate, onClash }: DryRun,
): Promise<number> => {
  const sources = folders.map((folder) => ({ root: resolve(folder), onClash }));
  const { output } = context;
  for await (const planned of plan(context, { assignmentId, nameTemplate, sources })) {
    const counts = countsOf(planned);
    if (output.json) {
      await output.events(() => events(counts.files));
      output.event({ type: 'summary', batch: null, ...NONE_SENT, ...counts.total(), seconds: 0 });
    } else {
      await output.lines(async function* () {
        yield* streamTable(counts.files, columns(output.speech));
        yield plannedWords(counts.total(), output.speech);
      });
    }
  }
  return EXIT.done;
};

/** The same for rows of a draft, without a summary. */
export const planRows = async (context: CliContext, rows: readonly PlannedRow[]): Promise<PlannedUpload> => {
  const { output } = context;
  let total: Counts = { files: 0, bytes: 0, renamed: 0, leftOut: NOTHING_LEFT_OUT };
  const groups = Map.groupBy(rows, ({ upload }) => upload.assignmentId);
  for (const [assignmentId, group] of groups) {
    const sources = group.map(({ upload }) => upload);
    const nameTemplate = sources[0]?.nameTemplate;
    for await (const planned of plan(context, { assignmentId, nameTemplate, sources })) {
      const counts = countsOf(planned);
      const of = { root: planned.root, assignment: assignmentId };
      if (output.json) await output.events(() => events(counts.files, of));
      else for await (const _ of counts.files);
      total = sumOf(total, counts.total());
    }
  }
  output.say(plannedWords(total, output.speech));
  return { ...NOTHING_SENT, ...total, uploadId: null };
};

/** What an upload would do. */
type PlannedUpload = FollowedUpload & { readonly uploadId: null; readonly renamed: number };

type Counts = Pick<FollowedUpload, 'files' | 'bytes' | 'leftOut'> & { readonly renamed: number };

const NONE_SENT = { uploaded: 0, skipped: 0, failed: 0 };

const sumOf = (one: Counts, other: Counts): Counts => ({
  files: one.files + other.files,
  bytes: one.bytes + other.bytes,
  renamed: one.renamed + other.renamed,
  leftOut: sumOfLeftOut(one.leftOut, other.leftOut),
});

type Group = {
  readonly assignmentId: string;
  readonly nameTemplate: NameTemplate | undefined;
  readonly sources: readonly PlannedSource[];
};

/** Each source with its files, which have to be read before the next one. */
async function* plan(
  context: CliContext,
  { assignmentId, nameTemplate, sources }: Group,
): AsyncGenerator<PlannedFolder> {
  const { parts, signal } = context;
  const hasher = createHasher(parts.hashThread, () => {});
  const open: OpenFile = (...file) => openLocalFile(...file, hasher);
  const contentOf = createContentOf({ open, timeouts: SEND_TIMEOUTS }, signal);
  const { taken, close } = takenNames(context, assignmentId);
  try {
    yield* planFolders(sources, { template: nameTemplate ?? ownNameTemplate, taken, contentOf }, signal);
  } finally {
    close();
  }
}

/** The files of a folder, counted as they are read. */
const countsOf = (
  planned: PlannedFolder,
): { readonly files: AsyncIterable<PlannedFile>; readonly total: () => Counts } => {
  let [files, bytes, renamed] = [0, 0, 0];
  const counted = async function* (): AsyncGenerator<PlannedFile> {
    for await (const file of planned.files) {
      files += 1;
      bytes += file.sizeBytes;
      if (file.reason) renamed += 1;
      yield file;
    }
  };
  return { files: counted(), total: () => ({ files, bytes, renamed, leftOut: planned.leftOut() }) };
};

async function* events(files: AsyncIterable<PlannedFile>, of: Readonly<Record<string, string>> = {}) {
  for await (const { path, FileName, sizeBytes, reason, clash } of files)
    yield { type: 'file', state: 'planned', ...of, path, FileName, size: sizeBytes, reason, clash: shown(clash) };
}

/** What happens to a file whose name is taken, unless its `reason` says so already. */
const shown = (clash: PlannedFile['clash']): OnClash | undefined =>
  clash?.onClash === 'rename' ? undefined : clash?.onClash;

const plannedWords = ({ files, bytes, renamed, leftOut }: Counts, speech: Speech<'host'>): string =>
  speech.t('cli.upload.planned', {
    count: files,
    size: formatBytes(bytes, speech),
    renamed,
    leftOut: leftOutWords(leftOut, speech.t),
  });

type Taken = { readonly taken: Naming['taken']; readonly close: () => void };

/** What the ledger knows of the assignment, read while another process may have it open. */
const takenNames = ({ options, env, output, policy }: CliContext, assignmentId: string): Taken => {
  const home = homeOf(options, env);
  const path = join(home, 'ledger.sqlite');
  const nothing: Taken = { taken: undefined, close: () => {} };
  if (!existsSync(path)) return nothing;
  try {
    const settings = openSettings({ home, open: openConfSettings, policy }).get();
    const layers = [policyLayer(policy), optionsLayer(options), environmentLayer(env), settingsLayer(settings)];
    const connectionId = connectionIdOf(resolveConnection(layers).connection);
    const ledger = readLedger(path);
    return { taken: { ledger, assignment: { connectionId, assignmentId } }, close: ledger.close };
  } catch {
    output.say(output.speech.t('cli.upload.noRecord'));
    return nothing;
  }
};

const columns = ({ t, locale }: Speech<'host'>): readonly Column<PlannedFile>[] => [
  { title: t('table.title.file'), cell: ({ path }) => path, whole: true },
  { title: 'FileName', cell: ({ FileName }) => FileName, whole: true },
  { title: t('table.title.size'), cell: ({ sizeBytes }) => formatBytes(sizeBytes, { locale }) },
  { title: t('table.title.renamed'), cell: ({ reason }) => (reason ? t(`table.reason.${reason}`) : '') },
];
