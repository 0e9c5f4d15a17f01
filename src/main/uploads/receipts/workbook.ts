/**
 * A receipt or a report as an Excel workbook, with a sheet for its facts and lines and, if files are listed, sheets for all files
 * and for their object keys and checksums.
 */

import { pictureSize } from '../../data/picture.ts';
import { type Bold, type Row, type Sheet, type SheetPicture, workbook } from '../../data/workbook.ts';
import { countFacts, countsOf, lineRows, officeFact, type Receipt, type ReceiptFile } from './receipt.ts';

const bold = (text: string): Bold => ({ bold: text });

/** The file, piece by piece. */
export const receiptXlsx = (receipt: Receipt): AsyncGenerator<Uint8Array> => {
  const { speech, job } = receipt;
  const { t } = speech;
  return workbook([
    {
      name: t(job.report ? 'receipt.sheetReport' : 'receipt.sheetReceipt'),
      widths: job.report
        ? [36, 28, ...Array<number>(9).fill(14)]
        : [36, 24, 28, 38, 28, 18, 18, 10, 12, 14, 12, 12, 16],
      picture: logoOf(job),
      rows: overview(receipt),
    },
    ...(job.listsFiles ? fileSheets(receipt) : []),
  ]);
};

/** The logo of the letterhead, from its `data:` URL. */
const logoOf = ({ letterhead: { logo = '' } }: Receipt['job']): SheetPicture | undefined => {
  const bytes = Buffer.from(logo.slice(logo.indexOf(',') + 1), 'base64');
  const found = pictureSize(bytes);
  return found && { ...found, bytes };
};

const fileSheets = (receipt: Receipt): readonly Sheet[] => {
  const { t } = receipt.speech;
  return [
    {
      name: t('receipt.files'),
      widths: [30, 24, 24, 44, 36, 14, 18, 16, 18, 44],
      header: [
        ...[t('table.title.address'), t('receipt.customer'), t('table.title.folder'), t('table.title.file')],
        ...[t('receipt.fileOnAssignment'), t('receipt.bytes'), t('receipt.time'), t('table.title.state')],
        ...[t('receipt.removed'), t('table.title.problem')],
      ],
      rows: everyFile(
        receipt,
        ({ summary, customer }, folder, { path, fileName, sizeBytes, time, state, removed, problem }) => [
          ...[summary?.Address, customer, folder, path, fileName, sizeBytes, time, state, removed, problem],
        ],
      ),
    },
    {
      name: t('receipt.sheetKeys'),
      widths: [38, 44, 36, 60, 68],
      header: [
        ...[t('receipt.assignment'), t('table.title.file'), t('receipt.fileOnAssignment'), t('receipt.key')],
        t('receipt.checksum'),
      ],
      rows: everyFile(receipt, ({ AssignmentId }, _folder, { path, fileName, key, sha256 }) => [
        ...[AssignmentId, path, fileName, key, sha256],
      ]),
    },
  ];
};

function* overview(receipt: Receipt): Generator<Row> {
  const { speech, job, title, facts, counts, assignments } = receipt;
  const { t } = speech;
  yield [bold(title)];
  yield [];
  for (const [name, value] of [...officeFact(receipt), ...facts, ...countFacts(counts, speech)])
    yield [bold(name), value];
  yield [];
  if (job.report) {
    const [head = [], ...lines] = lineRows(receipt);
    yield head.map((text) => bold(String(text)));
    yield* lines;
    return;
  }
  yield [
    ...[t('table.title.address'), t('table.title.city'), t('receipt.customer'), t('receipt.assignment')],
    ...[t('table.title.folder'), t('receipt.started'), t('receipt.finished'), t('table.title.files')],
    ...[
      t('table.title.uploaded'),
      t('receipt.removedFiles'),
      t('table.title.skipped'),
      t('table.title.failed'),
      t('receipt.bytes'),
    ],
  ].map(bold);
  for (const { AssignmentId, summary, customer, folders } of assignments) {
    for (const { name, batch } of folders) {
      const { files, uploaded, removed, skipped, failed, bytes } = countsOf([{ batch }]);
      yield [
        ...[summary?.Address, summary?.City, customer, AssignmentId, name, new Date(batch.createdAtMs)],
        ...[
          batch.finishedAtMs === undefined ? undefined : new Date(batch.finishedAtMs),
          files,
          uploaded,
          removed,
          skipped,
        ],
        ...[failed, bytes],
      ];
    }
  }
}

function* everyFile(
  { assignments }: Receipt,
  rowOf: (assignment: Receipt['assignments'][number], folder: string, file: ReceiptFile) => Row,
): Generator<Row> {
  for (const assignment of assignments) {
    for (const { name, files } of assignment.folders) {
      for (const file of files()) yield rowOf(assignment, name, file);
    }
  }
}
