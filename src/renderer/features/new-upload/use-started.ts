import { useCallback } from 'react';
import { useApp } from '../../state/context.tsx';

/** Shows what was started. */
export const useStarted = (): ((started: { readonly uploadId: string }) => void) => {
  const open = useApp((state) => state.open);
  return useCallback(({ uploadId }) => open({ name: 'upload', upload: uploadId }), [open]);
};
