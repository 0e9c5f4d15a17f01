import { type DragEvent, useRef, useState } from 'react';

export type DropZone = {
  /** Whether files are held over it now. */
  readonly over: boolean;
  readonly handlers: {
    readonly onDragEnter: (event: DragEvent) => void;
    readonly onDragOver: (event: DragEvent) => void;
    readonly onDragLeave: () => void;
    readonly onDrop: (event: DragEvent) => void;
  };
};

const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');

/** Lets files be dropped on an element that takes the handlers. */
export const useDropZone = (onFiles: (files: readonly File[]) => void): DropZone => {
  // Every child the pointer crosses sends an enter and a leave of its own.
  const depth = useRef(0);
  const [over, setOver] = useState(false);
  const move = (step: number): void => {
    depth.current = Math.max(0, depth.current + step);
    setOver(depth.current > 0);
  };
  return {
    over,
    handlers: {
      onDragEnter: (event) => {
        if (hasFiles(event)) move(1);
      },
      onDragOver: (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      },
      onDragLeave: () => move(-1),
      onDrop: (event) => {
        move(-depth.current);
        if (!hasFiles(event)) return;
        event.preventDefault();
        onFiles([...event.dataTransfer.files]);
      },
    },
  };
};
