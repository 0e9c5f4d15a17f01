/** A receipt as CSV, for the spreadsheet of the person who saves it. */
import { sheetFormat } from '../../../contract/text.ts';
import { CSV_START, csvRow } from '../../data/csv.ts';
import type { Cell, Receipt } from './receipt.ts';

/** The rows: the facts, a blank line, and all files. */
export function* receiptCsv({ speech: { t }, formats, job, title, facts, assignments }: Receipt): Generator<string> {
  const format = sheetFormat(formats.number);
  const row = (...cells: readonly (Cell | undefined)[]) => csvRow(cells.map(csvCell), format);
  yield CSV_START;
  yield row(title);
  for (const fact of facts) yield row(...fact);
  if (job.part) yield row(t('receipt.part', job.part));
  yield row();
  yield row(
    ...[t('table.title.address'), t('table.title.city'), t('receipt.customer'), t('receipt.assignment')],
    ...[t('table.title.folder'), t('table.title.file'), t('receipt.fileOnAssignment'), t('receipt.bytes')],
    ...[t('receipt.time'), t('table.title.state'), t('receipt.removed'), t('table.title.problem')],
    ...[t('receipt.key'), t('receipt.checksum')],
  );
  for (const { AssignmentId, summary, customer, folders } of assignments) {
    for (const { name, files } of folders) {
      for (const { path, fileName, sizeBytes, time, state, removed, problem, key, sha256 } of files()) {
        const target = [summary?.Address, summary?.City, customer, AssignmentId] as const;
        yield row(...target, name, path, fileName, sizeBytes, time, state, removed, problem, key, sha256);
      }
    }
  }
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `time` as spreadsheets read it in every country: local, such as `2026-11-22 08:15:00`. */
const localTime = (time: Date): string =>
  `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`;

const csvCell = (cell: Cell | undefined): string | number => (cell instanceof Date ? localTime(cell) : (cell ?? ''));
