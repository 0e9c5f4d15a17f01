/** The contents of the menus. The functions are pure, so that the texts can be tested. */
import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron';
import type { PageAction } from '../../../contract/app.ts';
import type { Speech } from '../../../words/speech.ts';

// The app's menu. On macOS, copy and paste work only through it.

type MenuAction = Exclude<PageAction, 'licences'>;

/** Receives the action that the user has chosen: one of the window's page, or `about`, which shows the version. */
export type OnMenu = (action: MenuAction | 'about') => void;

type MenuParts = {
  readonly appName: string;
  readonly isMac: boolean;
  readonly isDeveloper: boolean;
  readonly onMenu: OnMenu;
};

/** The keyboard shortcuts of the actions, the same as those that the page handles (renderer/shell/shell.tsx). */
const accelerators: Readonly<Record<MenuAction, { readonly all?: string; readonly notMac?: string }>> = {
  newUpload: { all: 'CmdOrCtrl+N' },
  search: { all: 'CmdOrCtrl+K' },
  settings: { all: 'CmdOrCtrl+,' },
  find: { all: 'CmdOrCtrl+F' },
  refresh: { all: 'CmdOrCtrl+R', notMac: 'F5' },
  userGuide: { notMac: 'F1' },
  shortcuts: {},
};

type Role =
  | ('services' | 'hideOthers' | 'unhide' | 'undo' | 'redo' | 'cut' | 'copy' | 'paste' | 'delete' | 'selectAll')
  | ('reload' | 'toggleDevTools' | 'resetZoom' | 'zoomIn' | 'zoomOut' | 'togglefullscreen')
  | ('minimize' | 'zoom' | 'front' | 'close');

const separator: MenuItemConstructorOptions = { type: 'separator' };

/** Creates the app's menu. Every item has a label, because Electron's own labels for roles are in English. */
export const menuTemplate = (
  { appName, isMac, isDeveloper, onMenu }: MenuParts,
  { t }: Speech<'host'>,
): readonly MenuItemConstructorOptions[] => {
  const app = { app: appName };
  const item = (role: Role): MenuItemConstructorOptions => ({ role, label: t(`menu.${role}`) });
  const items = (...chosen: readonly Role[]): readonly MenuItemConstructorOptions[] => chosen.map(item);
  const page = (action: MenuAction): MenuItemConstructorOptions => {
    const { all, notMac } = accelerators[action];
    const accelerator = isMac ? all : (notMac ?? all);
    return {
      id: action,
      label: t(`menu.${action}`),
      // On Windows and Linux the page handles the key, so the menu only shows it.
      ...(accelerator !== undefined && { accelerator, registerAccelerator: false }),
      click: () => onMenu(action),
    };
  };
  const about: MenuItemConstructorOptions = { id: 'about', label: t('menu.about', app), click: () => onMenu('about') };
  const quit: MenuItemConstructorOptions = { role: 'quit', label: t('menu.quit', app) };
  const file = [page('newUpload'), page('search'), separator];
  const appMenu: MenuItemConstructorOptions[] = [
    about,
    separator,
    page('settings'),
    separator,
    item('services'),
    separator,
    { role: 'hide', label: t('menu.hide', app) },
    ...items('hideOthers', 'unhide'),
    separator,
    quit,
  ];
  return [
    ...(isMac ? [{ role: 'appMenu' as const, label: appName, submenu: appMenu }] : []),
    {
      role: 'fileMenu',
      label: t('menu.file'),
      submenu: isMac ? [...file, item('close')] : [...file, page('settings'), separator, item('close'), quit],
    },
    {
      role: 'editMenu',
      label: t('menu.edit'),
      submenu: [
        ...items('undo', 'redo'),
        separator,
        ...items('cut', 'copy', 'paste', 'delete'),
        separator,
        item('selectAll'),
        separator,
        page('find'),
      ],
    },
    {
      label: t('menu.view'),
      submenu: [
        page('refresh'),
        separator,
        ...(isDeveloper
          ? [{ ...item('reload'), accelerator: 'CmdOrCtrl+Shift+R' }, item('toggleDevTools'), separator]
          : []),
        ...items('resetZoom', 'zoomIn', 'zoomOut'),
        separator,
        item('togglefullscreen'),
      ],
    },
    {
      role: 'windowMenu',
      label: t('menu.window'),
      submenu: [...items('minimize', 'zoom'), ...(isMac ? [separator, item('front')] : [])],
    },
    {
      role: 'help',
      label: t('menu.help'),
      submenu: [page('userGuide'), page('shortcuts'), ...(isMac ? [] : [separator, about])],
    },
  ];
};

type Clicked = Pick<ContextMenuParams, 'isEditable' | 'selectionText'> & {
  readonly editFlags: Omit<ContextMenuParams['editFlags'], 'canDelete' | 'canEditRichly'>;
};

/** Returns the items for a field or for selected text; none elsewhere. */
export const contextTemplate = (
  { isEditable, selectionText, editFlags }: Clicked,
  { t }: Speech<'host'>,
): readonly MenuItemConstructorOptions[] => {
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
