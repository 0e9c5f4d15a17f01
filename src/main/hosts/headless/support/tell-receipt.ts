/** The receipt that an upload ends with. */
import { DeskError } from '../../../../contract/errors.ts';
import type { Desk } from '../../../core/desk.ts';
import { EXIT, exitCodeOf } from '../../shared/exit-codes.ts';
import type { Output } from './output.ts';

/** Waits for the receipt of an upload, if it gets one, and names it. Answers an exit code: that of the error if it cannot be saved. */
export const tellReceipt = async (desk: Desk, output: Output, uploadId: string): Promise<number> => {
  try {
    const saved = await desk.automaticReceipts.of(uploadId);
    if (!saved) return EXIT.done;
    output.event({ type: 'receipt', upload: uploadId, path: saved.path, files: saved.files });
    output.say(output.speech.t('cli.upload.receiptSaved', { path: saved.path }));
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
    output.error(error);
    return exitCodeOf(error.code);
  }
};
