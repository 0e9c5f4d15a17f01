import type { Preferences } from '../../../contract/preferences.ts';
import { useDesk, useSnapshot } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { t } from '../../words/words.ts';
import { SettingSwitch } from './setting-switch.tsx';

type Desktop = Preferences['desktop'];

/** How the app behaves in the system around its window. */
export const DesktopSettings = () => {
  const { preferences } = useDesk();
  const desktop = useSnapshot((snapshot) => snapshot.preferences.desktop);
  const choose = useAction((chosen: Partial<Desktop>) => preferences.set({ desktop: { ...desktop, ...chosen } }));
  return (
    <>
      <SettingSwitch
        label={t('settings.desktop.tray')}
        path="desktop.tray"
        checked={desktop.tray}
        onChange={(tray) => choose.run({ tray })}
      />
      <SettingSwitch
        label={t('settings.desktop.keepUploading')}
        hint={t('settings.desktop.keepUploadingHint')}
        path="desktop.keepUploading"
        checked={desktop.keepUploading}
        onChange={(keepUploading) => choose.run({ keepUploading })}
      />
      <SettingSwitch
        label={t('settings.desktop.startAtSignIn')}
        path="desktop.startAtSignIn"
        checked={desktop.startAtSignIn}
        onChange={(startAtSignIn) => choose.run({ startAtSignIn })}
      />
    </>
  );
};
