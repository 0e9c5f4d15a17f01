import { type MouseEvent, useMemo } from 'react';
import type { FileMenuTarget } from '../../../contract/files.ts';
import { useDesk, useSnapshot } from '../../state/context.tsx';
import { useReport } from '../../state/use-report.ts';

/** Opens the menu of a file or folder where the event happened. */
type OpenFileMenu = (of: FileMenuTarget, event: MouseEvent) => void;

/** Undefined where the app has no such menus. Selected text keeps its own menu. */
export const useFileMenu = (): OpenFileMenu | undefined => {
  const { files } = useDesk();
  const report = useReport();
  const isOffered = useSnapshot(({ hasDesktop }) => hasDesktop);
  return useMemo(() => {
    if (!isOffered) return undefined;
    return (of, event) => {
      if (getSelection()?.isCollapsed === false) return;
      event.preventDefault();
      files.menu({ of, at: pointOf(event) }).catch(report);
    };
  }, [isOffered, files, report]);
};

/** A button that is pressed with the keyboard has no pointer: its menu opens below it. */
const pointOf = ({ type, detail, clientX, clientY, currentTarget }: MouseEvent) => {
  if (type !== 'click' || detail > 0) return { x: clientX, y: clientY };
  const { left, bottom } = currentTarget.getBoundingClientRect();
  return { x: left, y: bottom };
};
