import { Button, makeStyles, Radio, RadioGroup, Text, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { Language, LogLevel, Preferences } from '../../../contract/preferences.ts';
import { TimeBase } from '../../../contract/resources.ts';
import { localeOf } from '../../../words/formats.ts';
import { languageOf, languages } from '../../../words/languages.ts';
import { ActionButton, OpenButton } from '../../domain/actions.tsx';
import { ConnectionForm } from '../../domain/connection/connection-form.tsx';
import { FailureBar } from '../../domain/errors.tsx';
import { ManagedNote } from '../../domain/managed.tsx';
import { offlinePart } from '../../domain/offline.tsx';
import { GoToSignIn, OpenDoctor } from '../../domain/reach.tsx';
import { PreferenceChoice, SettingSwitch, usePreference } from '../../domain/setting-choice.tsx';
import { SignOut } from '../../domain/sign-out.tsx';
import { useCacheSize } from '../../queries/answers.ts';
import { useDesk, useSnapshot } from '../../state/context.tsx';
import { Facts, Line, Minor, Page } from '../../ui/page.tsx';
import { type PageSection, PageSections } from '../../ui/page-sections.tsx';
import { formatBytes } from '../../words/amounts.ts';
import { formats, localeName } from '../../words/formats.ts';
import { spokenLocale, t } from '../../words/words.ts';
import { LetterheadSettings } from './letterhead-settings.tsx';
import { NetworkSettings } from './network-settings.tsx';
import { RuleSettings } from './rule-settings.tsx';
import { UpdateSettings } from './update-settings.tsx';
import { UploadSettings } from './upload-settings.tsx';

/** All settings, and the version of the app. */
export const SettingsPage = () => {
  const hasDesktop = useSnapshot((snapshot) => snapshot.hasDesktop);
  const sections: readonly PageSection[] = [
    { id: 'connection', title: t('settings.connection'), children: <ConnectionSettings /> },
    { id: 'sign-in', title: t('settings.signIn'), children: <SessionSettings /> },
    { id: 'appearance', title: t('settings.appearance'), children: <AppearanceSettings /> },
    { id: 'language', title: t('settings.languageAndDates'), children: <LanguageSettings /> },
    { id: 'uploads', title: t('settings.uploads'), children: <UploadSettings /> },
    { id: 'letterhead', title: t('settings.letterhead.title'), children: <LetterheadSettings /> },
    ...(hasDesktop ? [{ id: 'desktop', title: t('settings.desktop.title'), children: <DesktopSettings /> }] : []),
    { id: 'network', title: t('settings.network.title'), children: <NetworkSettings /> },
    { id: 'updates', title: t('settings.updates.title'), children: <UpdateSettings /> },
    { id: 'rules', title: t('settings.rules.title'), children: <RuleSettings /> },
    { id: 'offline', ...offlinePart() },
    { id: 'storage', title: t('settings.storage'), children: <StorageSettings /> },
    { id: 'about', title: t('settings.about'), children: <About /> },
  ];
  return (
    <Page title={t('settings.title')}>
      <PageSections label={t('settings.sections')} sections={sections} />
    </Page>
  );
};

const About = () => {
  const { app } = useDesk();
  const version = useSnapshot((snapshot) => snapshot.version);
  return (
    <>
      <Facts facts={[{ name: t('settings.version'), value: version }]} />
      <PreferenceChoice
        name="logLevel"
        label={t('settings.logLevel')}
        path="log.level"
        values={LogLevel.options}
        nameOf={(level) => t(`settings.logLevels.${level}`)}
      />
      <Line>
        <OpenButton place={{ name: 'licences' }}>{t('settings.licences')}</OpenButton>
        <OpenDoctor />
        <ActionButton act={app.openLogs}>{t('settings.openLogs')}</ActionButton>
      </Line>
    </>
  );
};

const { appearance: Theme, formats: FormatsChoice, dateFormat: DateFormat } = Preferences.shape;

const useAppearanceSettingsStyles = makeStyles({ themes: { flexWrap: 'wrap' } });

/** Light, dark, or as the system. */
const AppearanceSettings = () => {
  const styles = useAppearanceSettingsStyles();
  const [appearance, choose] = usePreference('appearance');
  return (
    <RadioGroup
      className={styles.themes}
      layout="horizontal"
      aria-label={t('settings.theme')}
      value={appearance}
      onChange={(_, { value }) => choose(Theme.parse(value))}
    >
      {Theme.options.map((value) => (
        <Radio key={value} value={value} label={t(`settings.themes.${value}`)} />
      ))}
    </RadioGroup>
  );
};

/** How the app behaves in the system around its window. */
const DesktopSettings = () => {
  const [desktop, set] = usePreference('desktop');
  return (['tray', 'keepUploading', 'startAtSignIn'] as const).map((name) => (
    <SettingSwitch
      key={name}
      label={t(`settings.desktop.${name}`)}
      {...(name === 'keepUploading' && { hint: t('settings.desktop.keepUploadingHint') })}
      path={`desktop.${name}`}
      checked={desktop[name]}
      onChange={(checked) => set({ ...desktop, [name]: checked })}
    />
  ));
};

const usualMegabytes = [250, 500, 1_000, 2_000, 5_000, 10_000, 20_000];

/** The size of the offline data, its limit, and clearing it. */
const StorageSettings = () => {
  const { cache } = useDesk();
  const { value, error, reload } = useCacheSize();
  return (
    <>
      {error !== undefined && <FailureBar error={error} onRetry={reload} />}
      {value !== undefined && <Text>{t('settings.cacheSize', { size: formatBytes(value.sizeBytes) })}</Text>}
      <PreferenceChoice
        name="cacheLimitMegabytes"
        label={t('settings.cacheLimit')}
        hint={t('settings.cacheLimitHint')}
        path="cache.limitMegabytes"
        values={usualMegabytes}
        nameOf={(megabytes) => formatBytes(megabytes * 1_000_000)}
      />
      <Line>
        <ActionButton
          act={cache.clear}
          question={{
            title: t('settings.clearQuestion'),
            text: t('settings.clearExplained'),
            action: t('settings.clearAction'),
          }}
        >
          {t('settings.clear')}
        </ActionButton>
      </Line>
    </>
  );
};

/** The service in use, and changing it. */
const ConnectionSettings = () => {
  const desk = useDesk();
  const connection = useSnapshot((snapshot) => snapshot.connection);
  const office = useSnapshot((snapshot) => snapshot.office);
  const [changing, setChanging] = useState(false);
  if (connection === undefined) return null;
  const isFixed =
    !connection.sample && (['baseUrl', 'authUrl', 'clientId'] as const).every((name) => office.connection[name]);
  if (changing) {
    const leave = () => setChanging(false);
    return <ConnectionForm connection={connection.sample ? undefined : connection} onDone={leave} onCancel={leave} />;
  }
  return (
    <>
      <Facts
        facts={[
          ...(connection.sample ? [{ name: t('settings.service'), value: t('settings.sample') }] : []),
          { name: t('connection.field.baseUrl'), value: connection.baseUrl },
          { name: t('connection.field.authUrl'), value: connection.authUrl },
          { name: t('connection.field.clientId'), value: connection.clientId },
          ...(connection.scope === undefined ? [] : [{ name: t('connection.field.scope'), value: connection.scope }]),
        ]}
      />
      <Line>
        {isFixed ? <ManagedNote /> : <Button onClick={() => setChanging(true)}>{t('settings.change')}</Button>}
        {!connection.sample && office.sampleData && (
          <ActionButton appearance="subtle" act={desk.connection.useSample}>
            {t('connection.sample')}
          </ActionButton>
        )}
      </Line>
    </>
  );
};

/** The session, and signing out. */
const SessionSettings = () => {
  const session = useSnapshot((snapshot) => snapshot.session);
  if (session.state !== 'signed-in')
    return (
      <>
        <Text>{t('settings.signedOut')}</Text>
        <Line>
          <GoToSignIn />
        </Line>
      </>
    );
  return (
    <>
      <Text>
        {session.subject === undefined
          ? t('settings.signedIn')
          : t('settings.signedInAs', { subject: session.subject })}
      </Text>
      <Line>
        <SignOut />
      </Line>
    </>
  );
};

const useLanguageSettingsStyles = makeStyles({
  fields: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, min(340px, 100%))',
    alignItems: 'start',
    gap: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalXXL}`,
  },
});

/** A time and a number that look different in each format. */
const exampleMs = new Date(2026, 2, 31, 14, 5).getTime();
const exampleNumber = 12_345.6;

/** The language of the app, how dates and numbers are written, and how the service's times are read. */
export const LanguageSettings = () => {
  const styles = useLanguageSettingsStyles();
  const systemLocale = useSnapshot((snapshot) => snapshot.locale);
  const systemLanguage = useSnapshot((snapshot) => snapshot.systemLanguage) ?? languageOf(navigator.languages);
  const asSystem = (what: string): string => t('settings.asSystem', { what });
  const formatsName = (formats: Preferences['formats']): string => {
    const name = localeName(spokenLocale(), localeOf({ formats, systemLocale }));
    return formats === 'system' ? asSystem(name) : name;
  };
  return (
    <>
      <div className={styles.fields}>
        <PreferenceChoice
          name="language"
          label={t('settings.language')}
          values={['system', ...Language.options]}
          nameOf={(value) => (value === 'system' ? asSystem(languages[systemLanguage].name) : languages[value].name)}
        />
        <PreferenceChoice
          name="formats"
          label={t('settings.formats')}
          values={FormatsChoice.options}
          nameOf={formatsName}
        />
        <PreferenceChoice
          name="dateFormat"
          label={t('settings.dateFormat')}
          values={DateFormat.options}
          nameOf={(value) => t(`settings.dateFormats.${value}`)}
        />
        <PreferenceChoice
          name="timeBase"
          label={t('settings.timeBase')}
          hint={t('settings.timeBaseHint')}
          values={TimeBase.options}
          nameOf={(value) => t(`settings.timeBases.${value}`)}
        />
      </div>
      <Minor role="status">
        {t('settings.example', { moment: formats().moment(exampleMs), number: formats().number(exampleNumber) })}
      </Minor>
    </>
  );
};
