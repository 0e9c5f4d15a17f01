import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { OfflineData } from '../../domain/offline/offline-data.tsx';
import { OpenDoctor } from '../../domain/reach/open-doctor.tsx';
import { useApp, useDesk, useSnapshot } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { Facts } from '../../ui/facts.tsx';
import { Page } from '../../ui/page.tsx';
import { PageBody } from '../../ui/page-body.tsx';
import { Part } from '../../ui/part.tsx';
import { t } from '../../words/words.ts';
import { AppearanceSettings } from './appearance-settings.tsx';
import { ConnectionSettings } from './connection-settings.tsx';
import { DesktopSettings } from './desktop-settings.tsx';
import { LanguageSettings } from './language-settings.tsx';
import { LogSettings } from './log-settings.tsx';
import { NetworkSettings } from './network-settings.tsx';
import { RuleSettings } from './rule-settings.tsx';
import { SessionSettings } from './session-settings.tsx';
import { StorageSettings } from './storage-settings.tsx';
import { UpdateSettings } from './update-settings.tsx';
import { UploadSettings } from './upload-settings.tsx';

const useStyles = makeStyles({ actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS } });

/** All settings, and the version of the app. */
export const SettingsPage = () => {
  const styles = useStyles();
  const desk = useDesk();
  const open = useApp((state) => state.open);
  const openLogs = useAction(desk.app.openLogs);
  const version = useSnapshot((snapshot) => snapshot.version);
  const hasDesktop = useSnapshot((snapshot) => snapshot.hasDesktop);
  return (
    <Page title={t('settings.title')}>
      <PageBody>
        <Part title={t('settings.connection')}>
          <ConnectionSettings />
        </Part>
        <Part title={t('settings.signIn')}>
          <SessionSettings />
        </Part>
        <Part title={t('settings.appearance')}>
          <AppearanceSettings />
        </Part>
        <Part title={t('settings.languageAndDates')}>
          <LanguageSettings />
        </Part>
        <Part title={t('settings.uploads')}>
          <UploadSettings />
        </Part>
        {hasDesktop && (
          <Part title={t('settings.desktop.title')}>
            <DesktopSettings />
          </Part>
        )}
        <Part title={t('settings.network.title')}>
          <NetworkSettings />
        </Part>
        <Part title={t('settings.updates.title')}>
          <UpdateSettings />
        </Part>
        <Part title={t('settings.rules.title')}>
          <RuleSettings />
        </Part>
        <OfflineData />
        <Part title={t('settings.storage')}>
          <StorageSettings />
        </Part>
        <Part title={t('settings.about')}>
          <Facts facts={[{ name: t('settings.version'), value: version }]} />
          <LogSettings />
          <div className={styles.actions}>
            <Button onClick={() => open({ name: 'licences' })}>{t('settings.licences')}</Button>
            <OpenDoctor />
            <Button disabledFocusable={openLogs.busy} onClick={() => openLogs.run()}>
              {t('settings.openLogs')}
            </Button>
          </div>
        </Part>
      </PageBody>
    </Page>
  );
};
