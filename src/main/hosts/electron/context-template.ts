/** The menu of a right click. Pure, so that its words can be tested. */
import type { MenuItemConstructorOptions } from 'electron';
import type { Speech } from '../../../words/speech/speech.ts';

/** What was clicked, as Electron describes it. */
type Clicked = {
  readonly isEditable: boolean;
  readonly selectionText: string;
  readonly editFlags: {
    readonly canUndo: boolean;
    readonly canRedo: boolean;
    readonly canCut: boolean;
    readonly canCopy: boolean;
    readonly canPaste: boolean;
    readonly canSelectAll: boolean;
  };
};

const separator: MenuItemConstructorOptions = { type: 'separator' };

/** The items for a field, or for selected text; none elsewhere. */
export const contextTemplate = (
  { isEditable, selectionText, editFlags }: Clicked,
  { t }: Speech<'host'>,
): readonly MenuItemConstructorOptions[] => {
  type Role = 'undo' | 'redo' | 'cut' | 'copy' | 'paste' | 'selectAll';
  const item = (role: Role, enabled: boolean): MenuItemConstructorOptions => ({
    role,
    label: t(`menu.${role}`),
    enabled,
  });
  const copy = item('copy', editFlags.canCopy);
  if (!isEditable) return selectionText.trim() === '' ? [] : [copy];
  return [
    item('undo', editFlags.canUndo),
    item('redo', editFlags.canRedo),
    separator,
    item('cut', editFlags.canCut),
    copy,
    item('paste', editFlags.canPaste),
    separator,
    item('selectAll', editFlags.canSelectAll),
  ];
};
