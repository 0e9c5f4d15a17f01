/** The code that Node or the system gave an error (`ENOENT`, `ERR_INVALID_STATE`); undefined where it has none. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
