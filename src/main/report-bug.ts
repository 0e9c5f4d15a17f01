import { inspect } from 'node:util';
import { safeValue } from './log.ts';

/** Shows developers an error that nobody expected, without what must not be shown. */
export const reportBug = (error: unknown): void => {
  process.stderr.write(`unexpected error: ${inspect(safeValue(error))}\n`);
};
