import { inspect } from 'node:util';
import { safeValue } from '../../core/log.ts';
import { writeText } from './terminal-text.ts';

/** Shows developers an error that nobody expected, without what must not be shown. */
export const reportBug = (error: unknown): void => {
  writeText(process.stderr, `unexpected error: ${inspect(safeValue(error))}\n`);
};
