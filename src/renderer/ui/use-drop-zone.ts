import { type RefObject, useEffect, useState } from 'react';
import { useLatest } from './data-table/use-latest.ts';

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

/**
 * Accepts files that are dropped anywhere on the page or the dialog of `element` while it is in view, but not on a dialog
 * over it. Returns whether files are being dragged over it.
 */
export const useDropZone = (
  element: RefObject<HTMLElement | null>,
  onFiles: ((files: readonly File[]) => void) | undefined,
): boolean => {
  const take = useLatest(onFiles);
  const [over, setOver] = useState(false);
  useEffect(() => {
    const page = element.current?.closest<HTMLElement>('main, [role="dialog"]');
    if (!page) return;
    const left = new AbortController();
    const { signal } = left;
    // Each child that the pointer crosses fires its own enter and leave events.
    let depth = 0;
    const move = (step: number): void => {
      depth = Math.max(0, depth + step);
      setOver(depth > 0);
    };
    const onOver = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    };
    const onDrop = (event: DragEvent): void => {
      move(-depth);
      if (!hasFiles(event)) return;
      event.preventDefault();
      take([...(event.dataTransfer?.files ?? [])]);
    };
    page.addEventListener('dragenter', (event) => hasFiles(event) && move(1), { signal });
    page.addEventListener('dragleave', () => move(-1), { signal });
    page.addEventListener('dragover', onOver, { signal });
    page.addEventListener('drop', onDrop, { signal });
    return () => {
      left.abort();
      setOver(false);
    };
  }, [element, take]);
  return over;
};
