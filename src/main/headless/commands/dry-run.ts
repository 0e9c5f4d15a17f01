/** upload --dry-run: what would be sent, and under which names. */
import { type NameTemplate, ownNameTemplate, type RenameReason } from '../../../contract/names.ts';
import { EXIT } from '../../exit-codes.ts';
import { type PlannedFile, planFolder } from '../../uploads/planning/plan-names.ts';
import { leftOutWords } from '../follow-batch.ts';
import { type Column, formatTable } from '../table.ts';
import { formatBytes } from '../units.ts';
import type { CliContext } from '../with-desk.ts';

/** Reads the folders as `upload` would; nothing is sent or written. */
export const dryRun = async (
  { output, signal }: CliContext,
  folders: readonly string[],
  nameTemplate: NameTemplate = ownNameTemplate,
): Promise<number> => {
  for (const root of folders) {
    const planned = planFolder({ root }, nameTemplate, signal);
    const shown: PlannedFile[] = [];
    let [files, bytes, renamed] = [0, 0, 0];
    for await (const file of planned.files) {
      const { path, FileName, sizeBytes, reason } = file;
      files += 1;
      bytes += sizeBytes;
      if (reason) renamed += 1;
      output.event({ type: 'file', state: 'planned', path, FileName, size: sizeBytes, reason });
      if (!output.json) shown.push(file);
    }
    const leftOut = planned.leftOut();
    const none = { batch: null, uploaded: 0, skipped: 0, failed: 0, seconds: 0 };
    output.event({ type: 'summary', ...none, files, bytes, renamed, leftOut });
    if (output.json) continue;
    const summary = `${files} files, ${formatBytes(bytes)}, ${renamed} renamed${leftOutWords(leftOut)}. Nothing was sent.`;
    output.result(undefined, () => `${formatTable(shown, columns)}\n${summary}`);
  }
  return EXIT.done;
};

const WORDS: Readonly<Record<RenameReason, string>> = {
  template: 'by the template',
  taken: 'another file has the name',
  characters: 'characters that may be refused',
  reserved: 'a name that Windows reserves',
  length: 'longer than 255 bytes',
  composed: 'letters composed',
};

const columns: readonly Column<PlannedFile>[] = [
  { title: 'File', cell: ({ path }) => path, whole: true },
  { title: 'FileName', cell: ({ FileName }) => FileName, whole: true },
  { title: 'Size', cell: ({ sizeBytes }) => formatBytes(sizeBytes) },
  { title: 'Renamed', cell: ({ reason }) => (reason ? WORDS[reason] : '') },
];
