import { useEffect } from 'react';

const refuse = (event: DragEvent): void => {
  if (event.defaultPrevented) return;
  event.preventDefault();
  if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
};

/** A file dropped beside a drop zone would replace the app by that file: nothing happens instead. */
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
