/** upload --dry-run: what would be sent, and under which names. */
import { type NameTemplate, ownNameTemplate, type RenameReason } from '../../../contract/names.ts';
import { EXIT } from '../../exit-codes.ts';
import { type PlannedFile, planFolder } from '../../uploads/planning/plan-names.ts';
import { leftOutWords } from '../follow-batch.ts';
import { type Column, streamTable } from '../table.ts';
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
        for await (const { path, FileName, sizeBytes, reason } of counted())
          yield { type: 'file', state: 'planned', path, FileName, size: sizeBytes, reason };
      });
      const none = { batch: null, uploaded: 0, skipped: 0, failed: 0, seconds: 0 };
      output.event({ type: 'summary', ...none, files, bytes, renamed, leftOut: planned.leftOut() });
    } else {
      await output.lines(async function* () {
        yield* streamTable(counted(), columns);
        const left = leftOutWords(planned.leftOut());
        yield `${files} files, ${formatBytes(bytes)}, ${renamed} renamed${left}. Nothing was sent.`;
      });
    }
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
