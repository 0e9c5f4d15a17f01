import type { Desk } from '../../core/desk.ts';

/** Connects a desk that has no connection yet to the embedded service, for `--sample`. */
export const useSampleWhenUnset = async ({ handlers }: Desk): Promise<void> => {
  const { connection } = await handlers.app.snapshot(undefined);
  if (connection === undefined) await handlers.connection.useSample(undefined);
};
