/** A receipt as an Excel workbook: what was sent where, then all files, then their object keys and checksums. */
import { countsOf, type Receipt, type ReceiptFile } from './receipt.ts';
import { type Bold, type Row, workbook } from './workbook.ts';

const bold = (text: string): Bold => ({ bold: text });

/** The file, piece by piece. */
export const receiptXlsx = (receipt: Receipt): Generator<Uint8Array> => {
  const { t } = receipt.speech;
  return workbook([
    {
      name: t('receipt.sheetReceipt'),
      widths: [36, 24, 28, 38, 28, 18, 18, 10, 12, 14, 12, 12, 16],
      rows: overview(receipt),
    },
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
  ]);
};

function* overview({ speech: { t }, title, facts, assignments }: Receipt): Generator<Row> {
  yield [bold(title)];
  yield [];
  for (const [name, value] of facts) yield [bold(name), value];
  yield [];
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
