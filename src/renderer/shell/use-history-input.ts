import { useEffect } from 'react';
import { useApp } from '../state/context.tsx';

const isTextField = (element: EventTarget | null): boolean =>
  element instanceof HTMLInputElement && element.type !== 'checkbox' && element.type !== 'radio';

/** Back and forward by Alt+arrows, Command+brackets, and the side buttons of a mouse, as in a browser. */
export const useHistoryInput = (): void => {
  const back = useApp((state) => state.back);
  const forward = useApp((state) => state.forward);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isBack = event.altKey ? event.key === 'ArrowLeft' : event.metaKey && event.key === '[';
      const isForward = event.altKey ? event.key === 'ArrowRight' : event.metaKey && event.key === ']';
      // On a Mac, Option+arrow moves by words in a text field.
      if (!(isBack || isForward) || isTextField(event.target)) return;
      event.preventDefault();
      (isBack ? back : forward)();
    };
    const onMouse = (event: MouseEvent): void => {
      if (event.button === 3) back();
      if (event.button === 4) forward();
    };
    addEventListener('keydown', onKey);
    addEventListener('mouseup', onMouse);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener('mouseup', onMouse);
    };
  }, [back, forward]);
};
