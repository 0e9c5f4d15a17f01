import { inspect } from 'node:util';
import { safeValue } from '../../core/log/log.ts';
import { writeText } from './terminal-text.ts';

/** Prints an unexpected error for developers, without secrets. */
export const reportBug = (error: unknown): void => {
  writeText(process.stderr, `unexpected error: ${inspect(safeValue(error))}\n`);
};
