import type { ErrorData } from '../../../contract/errors.ts';

/** `error` as text for a support request. It holds only what is safe to show. */
export const errorReport = (error: ErrorData, version: string, at: Date): string =>
  [
    `Inspection Desk ${version}, ${at.toISOString()}`,
    `${error.code}: ${error.message}`,
    ...Object.entries(error.details).map(([name, value]) => `${name}: ${value}`),
  ].join('\n');
