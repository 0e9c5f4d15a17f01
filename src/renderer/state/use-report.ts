import { useApp } from './context.tsx';

/** Tells the person what went wrong with something they did. It stays until they dismiss it. */
export const useReport = (): ((error: unknown) => void) => useApp((state) => state.report);
