export const isMac = (): boolean => navigator.userAgent.includes('Mac OS');

type PressedKeys = Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/**
 * Whether the key of the system's shortcuts is pressed alone: Command on a Mac, where Control belongs to text fields
 * (Control+K deletes to the end of the line), and Control elsewhere.
 */
export const isShortcut = ({ ctrlKey, metaKey, altKey, shiftKey }: PressedKeys): boolean =>
  (isMac() ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey;
