import { nativeTheme, systemPreferences } from 'electron';
import type { SystemLook } from './title-bar.ts';

/** The look of the system as the app's own choice of light or dark has it. */
export const systemLook = (platform: NodeJS.Platform): SystemLook => ({
  dark: nativeTheme.shouldUseDarkColors,
  ...(platform === 'win32' && nativeTheme.shouldUseHighContrastColors
    ? { forced: { window: systemPreferences.getColor('window'), text: systemPreferences.getColor('window-text') } }
    : {}),
});
