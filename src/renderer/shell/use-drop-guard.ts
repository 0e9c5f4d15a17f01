import { useEffect } from 'react';

const refuse = (event: DragEvent): void => {
  if (event.defaultPrevented) return;
  event.preventDefault();
  if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
};

/** Ignores files that are dropped outside a drop zone: the browser would navigate to them. */
export const useDropGuard = (): void => {
  useEffect(() => {
    addEventListener('dragover', refuse);
    addEventListener('drop', refuse);
    return () => {
      removeEventListener('dragover', refuse);
      removeEventListener('drop', refuse);
    };
  }, []);
};
