import { type RefObject, useEffect, useState } from 'react';
import { useLatest } from '../../ui/data-table/use-latest.ts';

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

/**
 * Lets files be dropped anywhere on the page that the element is part of, while it is in view; not on a dialog over it.
 * Answers whether files are held over it now.
 */
export const useDropZone = (
  element: RefObject<HTMLElement | null>,
  onFiles: (files: readonly File[]) => void,
): boolean => {
  const take = useLatest(onFiles);
  const [over, setOver] = useState(false);
  useEffect(() => {
    const page = element.current?.closest('main');
    if (!page) return;
    const left = new AbortController();
    const { signal } = left;
    // Every child the pointer crosses sends an enter and a leave of its own.
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
