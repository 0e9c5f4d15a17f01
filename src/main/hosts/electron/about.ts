import { app, dialog } from 'electron';
import type { Speech } from '../../../words/speech/speech.ts';

/** Says which app this is. `onLicences`: the person wants to see the licences. */
export const showAbout = async ({ t }: Speech<'host'>, onLicences: () => void): Promise<void> => {
  const { electron = '', chrome = '', node } = process.versions;
  const { response } = await dialog.showMessageBox({
    type: 'info',
    title: app.name,
    message: app.name,
    detail: [
      t('about.version', { version: app.getVersion() }),
      t('about.runtime', { electron, chrome, node }),
      `${process.platform} ${process.arch}`,
    ].join('\n'),
    buttons: [t('about.ok'), t('about.licences')],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  if (response === 1) onLicences();
};
