/** upload --dry-run: what would be sent, and under which names. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type NameTemplate, type OnClash, ownNameTemplate } from '../../../../contract/names.ts';
import type { Speech } from '../../../../words/speech/speech.ts';
import { connectionIdOf } from '../../../auth/connection-id.ts';
import { openConfSettings } from '../../../settings/conf-settings.ts';
import { environmentLayer, resolveConnection, settingsLayer } from '../../../settings/resolve-connection.ts';
import { openSettings } from '../../../settings/settings.ts';
import { type Naming, type PlannedFile, type PlannedFolder, planFolders } from '../../../uploads/engine/plan-names.ts';
import { readLedger } from '../../../uploads/ledger/ledger.ts';
import { createHasher } from '../../../uploads/source/hasher.ts';
import { type OpenFile, openLocalFile } from '../../../uploads/source/local-file.ts';
import { SEND_TIMEOUTS } from '../../../uploads/storage/put-request.ts';
import { createContentOf } from '../../../uploads/transfer/own-name.ts';
import { EXIT } from '../../shared/exit-codes.ts';
import { homeOf, optionsLayer } from '../support/cli-options.ts';
import { leftOutWords } from '../support/follow-batch.ts';
import type { Output } from '../support/output.ts';
import { type Column, streamTable } from '../support/table.ts';
import { formatBytes } from '../support/units.ts';
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
  { folders, assignmentId, nameTemplate: template = ownNameTemplate, onClash }: DryRun,
): Promise<number> => {
  const { output, parts, signal } = context;
  const hasher = createHasher(parts.hashThread, () => {});
  const open: OpenFile = (...file) => openLocalFile(...file, hasher);
  const contentOf = createContentOf({ open, timeouts: SEND_TIMEOUTS }, signal);
  const { taken, close } = takenNames(context, assignmentId);
  const sources = folders.map((folder) => ({ root: resolve(folder), onClash }));
  try {
    for await (const planned of planFolders(sources, { template, taken, contentOf }, signal)) {
      await show(output, planned);
    }
  } finally {
    close();
  }
  return EXIT.done;
};

const show = async (output: Output, planned: PlannedFolder): Promise<void> => {
  let [files, bytes, renamed] = [0, 0, 0];
  const counted = async function* (): AsyncGenerator<PlannedFile> {
    for await (const file of planned.files) {
      files += 1;
      bytes += file.sizeBytes;
      if (file.reason) renamed += 1;
      yield file;
    }
  };
  if (output.json) {
    await output.events(async function* () {
      for await (const { path, FileName, sizeBytes, reason, clash } of counted())
        yield { type: 'file', state: 'planned', path, FileName, size: sizeBytes, reason, clash: shown(clash) };
    });
    const none = { batch: null, uploaded: 0, skipped: 0, failed: 0, seconds: 0 };
    output.event({ type: 'summary', ...none, files, bytes, renamed, leftOut: planned.leftOut() });
  } else {
    const { t } = output.speech;
    await output.lines(async function* () {
      yield* streamTable(counted(), columns(output.speech));
      const leftOut = leftOutWords(planned.leftOut(), t);
      yield t('cli.upload.planned', {
        files: t('cli.file', { count: files }),
        size: formatBytes(bytes, output.speech),
        renamed,
        leftOut,
      });
    });
  }
};

/** What happens to a file whose name is taken, unless its `reason` says so already. */
const shown = (clash: PlannedFile['clash']): OnClash | undefined =>
  clash?.onClash === 'rename' ? undefined : clash?.onClash;

type Taken = { readonly taken: Naming['taken']; readonly close: () => void };

/** What the ledger knows of the assignment, read while another process may have it open. */
const takenNames = ({ options, env, output }: CliContext, assignmentId: string): Taken => {
  const home = homeOf(options, env);
  const path = join(home, 'ledger.sqlite');
  const nothing: Taken = { taken: undefined, close: () => {} };
  if (!existsSync(path)) return nothing;
  try {
    const settings = openSettings({ home, open: openConfSettings }).get();
    const layers = [optionsLayer(options), environmentLayer(env), settingsLayer(settings)];
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
