import { useApp } from './context.tsx';

/** Shows the error of an action in a toast that stays until it is dismissed. */
export const useReport = (): ((error: unknown) => void) => useApp((state) => state.report);
