/** A minimal menu: on macOS copy and paste work only through it. Pure, so that its words can be tested. */
import type { MenuItemConstructorOptions } from 'electron';
import type { Speech } from '../../../words/speech/speech.ts';

type MenuParts = {
  readonly appName: string;
  readonly isMac: boolean;
  /** Whether it has items for reloading and the developer tools. */
  readonly isDeveloper: boolean;
  readonly onNewUpload: () => void;
  readonly onUserGuide: () => void;
};

const separator: MenuItemConstructorOptions = { type: 'separator' };

/** The app's menu. Every item has a label, since Electron's own labels for roles are in English. */
export const menuTemplate = (
  { appName, isMac, isDeveloper, onNewUpload, onUserGuide }: MenuParts,
  { t }: Speech<'host'>,
): readonly MenuItemConstructorOptions[] => {
  const app = { app: appName };
  const plain = [
    'services',
    'hideOthers',
    'unhide',
    'undo',
    'redo',
    'cut',
    'copy',
    'paste',
    'delete',
    'selectAll',
    'reload',
    'toggleDevTools',
    'resetZoom',
    'zoomIn',
    'zoomOut',
    'togglefullscreen',
    'minimize',
    'zoom',
    'front',
    'close',
  ] as const;
  const item = (role: (typeof plain)[number]): MenuItemConstructorOptions => ({ role, label: t(`menu.${role}`) });
  const quit: MenuItemConstructorOptions = { role: 'quit', label: t('menu.quit', app) };
  const newUpload: MenuItemConstructorOptions = {
    id: 'new-upload',
    label: t('menu.newUpload'),
    // The page handles the key itself, so the menu only shows it.
    accelerator: 'CmdOrCtrl+N',
    registerAccelerator: false,
    click: onNewUpload,
  };
  const first: MenuItemConstructorOptions = isMac
    ? {
        role: 'appMenu',
        label: appName,
        submenu: [
          { role: 'about', label: t('menu.about', app) },
          separator,
          item('services'),
          separator,
          { role: 'hide', label: t('menu.hide', app) },
          item('hideOthers'),
          item('unhide'),
          separator,
          quit,
        ],
      }
    : { role: 'fileMenu', label: t('menu.file'), submenu: [newUpload, separator, quit] };
  const macFile: readonly MenuItemConstructorOptions[] = isMac
    ? [{ role: 'fileMenu', label: t('menu.file'), submenu: [newUpload] }]
    : [];
  const edit = [item('undo'), item('redo'), separator, item('cut'), item('copy'), item('paste'), item('delete')];
  const developer = [{ ...item('reload'), accelerator: 'CmdOrCtrl+Shift+R' }, item('toggleDevTools'), separator];
  const zoom = [item('resetZoom'), item('zoomIn'), item('zoomOut'), separator, item('togglefullscreen')];
  return [
    first,
    ...macFile,
    { role: 'editMenu', label: t('menu.edit'), submenu: [...edit, separator, item('selectAll')] },
    { label: t('menu.view'), submenu: [...(isDeveloper ? developer : []), ...zoom] },
    {
      role: 'windowMenu',
      label: t('menu.window'),
      submenu: [item('minimize'), item('zoom'), ...(isMac ? [separator, item('front')] : [item('close')])],
    },
    {
      role: 'help',
      label: t('menu.help'),
      submenu: [
        {
          id: 'user-guide',
          label: t('menu.userGuide'),
          // The page handles the key itself. The key is left out where the system would send it to the menu.
          ...(isMac ? {} : { accelerator: 'F1', registerAccelerator: false }),
          click: onUserGuide,
        },
      ],
    },
  ];
};
