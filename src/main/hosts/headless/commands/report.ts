/** uploads report: what was uploaded where, as data for scripts or as a receipt for people. */
import { extname, resolve } from 'node:path';
import { Option } from 'commander';
import { DeskError } from '../../../../contract/errors.ts';
import { ReceiptFormat } from '../../../../contract/uploads.ts';
import { EXIT } from '../../shared/exit-codes.ts';
import { type Translate, usage } from '../support/refusal.ts';
import { type CliContext, withDesk } from '../support/with-desk.ts';

export type ReportOptions = {
  readonly upload?: string;
  readonly out: string;
  readonly format?: ReceiptFormat;
  readonly receipt?: boolean;
  readonly eachAssignment?: boolean;
};

/** The options of the command, in the order of its help. */
export const reportOptions = (t: Translate): readonly Option[] => [
  new Option('--upload <id>', t('help.option.upload')),
  new Option('--out <file>', t('help.option.out')).makeOptionMandatory(),
  new Option('--format <format>', t('help.option.format')).choices(ReceiptFormat.options),
  new Option('--receipt', t('help.option.receipt')),
  new Option('--each-assignment', t('help.option.eachAssignment')),
];

/** Writes the report of a batch, or of all batches of an upload. */
export const report = (context: CliContext, id: string | undefined, options: ReportOptions): Promise<number> => {
  const { upload, out, receipt, eachAssignment = false } = options;
  if ((id === undefined) === (upload === undefined)) throw usage('batchOrUpload');
  const ending = ReceiptFormat.safeParse(extname(out).slice(1).toLowerCase()).data;
  const format = options.format ?? ending ?? 'csv';
  if (format === 'pdf' && !context.parts.printPdf) throw usage('pdf');
  return withDesk(context, async (desk) => {
    const { connectionId, uploads } = desk.connected();
    const batches =
      id === undefined
        ? (await uploads.list(connectionId)).filter(({ uploadId }) => uploadId === upload)
        : [await uploads.get(id)];
    if (batches.length === 0) {
      throw new DeskError('upload/batch-unknown', 'there is no such upload', { details: { upload: upload ?? '' } });
    }
    const batchIds = batches.map(({ batchId }) => batchId);
    const path = resolve(out);
    const isReceipt = format === 'pdf' || format === 'xlsx' || receipt || eachAssignment;
    if (isReceipt) {
      await desk.receipts.saveAt({ batchIds, format, eachAssignment }, path);
    } else {
      const of = id ?? { upload: upload ?? '', batches: batchIds };
      await uploads.report(of, await desk.userFile(path), format);
    }
    const files = batches.reduce((sum, batch) => sum + batch.files, 0);
    context.output.result({ ...(id === undefined ? { upload } : { batch: id }), file: out, files }, () => {
      const { t } = context.output.speech;
      const said = { files: t('cli.file', { count: files }), path: out };
      return isReceipt ? t('cli.upload.receipt', said) : t('cli.upload.report', said);
    });
    return EXIT.done;
  });
};
