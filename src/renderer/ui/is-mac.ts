export const isMac = (): boolean => navigator.userAgent.includes('Mac OS');

/** Whether the user types into `target`, so that keys which edit or select text belong to it. */
export const isTextField = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.type !== 'checkbox' && target.type !== 'radio';

type PressedKeys = Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/**
 * Whether the modifier key of the system's shortcuts is pressed without any other: Command on a Mac, elsewhere Control.
 * On a Mac, Control belongs to text fields (Control+K deletes to the end of the line).
 */
export const isShortcut = ({ ctrlKey, metaKey, altKey, shiftKey }: PressedKeys): boolean =>
  (isMac() ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey;
