import { DeskError } from '../../../contract/errors.ts';
import type { Desk } from '../../core/desk.ts';

/** Connects a desk that has no connection yet to the embedded service, for `--sample`. A notice says if that is not allowed. */
export const useSampleWhenUnset = async ({ handlers }: Desk): Promise<void> => {
  const { connection } = await handlers.app.snapshot(undefined);
  if (connection !== undefined) return;
  try {
    await handlers.connection.useSample(undefined);
  } catch (error) {
    if (!(error instanceof DeskError && error.code === 'connection/sample-off')) throw error;
  }
};
