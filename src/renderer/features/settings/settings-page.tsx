import {
  Button,
  Checkbox,
  Field,
  makeStyles,
  Radio,
  RadioGroup,
  Switch,
  Text,
  tokens,
} from '@fluentui/react-components';
import { useState } from 'react';
import { Language, LogLevel, type ManagedPath, Preferences } from '../../../contract/preferences.ts';
import { TimeBase } from '../../../contract/resources.ts';
import { localeOf } from '../../../words/formats.ts';
import { languageOf, languages } from '../../../words/languages.ts';
import { ConnectionForm } from '../../domain/connection/connection-form.tsx';
import { FailureBar } from '../../domain/errors.tsx';
import { ManagedNote, managedField, useManaged } from '../../domain/managed.tsx';
import { OfflineData } from '../../domain/offline.tsx';
import { GoToSignIn, OpenDoctor } from '../../domain/reach.tsx';
import { useCacheSize } from '../../queries/answers.ts';
import { useAction, useApp, useDesk, useSnapshot } from '../../state/context.tsx';
import { Confirm } from '../../ui/dialogs.tsx';
import { Facts, Page, PageBody, Part } from '../../ui/page.tsx';
import { formatBytes } from '../../words/amounts.ts';
import { formats, localeName } from '../../words/formats.ts';
import { spokenLocale, t } from '../../words/words.ts';
import { NetworkSettings } from './network-settings.tsx';
import { SettingChoice } from './setting-choice.tsx';
import { UpdateSettings } from './update-settings.tsx';
import { RuleSettings, UploadSettings } from './upload-settings.tsx';

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

/** How much the log says. */
const LogSettings = () => {
  const { preferences } = useDesk();
  const logLevel = useSnapshot((snapshot) => snapshot.preferences.logLevel);
  const choose = useAction((level: LogLevel) => preferences.set({ logLevel: level }));
  return (
    <SettingChoice
      label={t('settings.logLevel')}
      path="log.level"
      value={logLevel}
      choices={LogLevel.options.map((value) => ({ value, name: t(`settings.logLevels.${value}`) }))}
      onChoose={choose.run}
    />
  );
};

const themes = Preferences.shape.appearance;

const useAppearanceSettingsStyles = makeStyles({ themes: { flexWrap: 'wrap' } });

/** Light, dark, or the same as the system. */
const AppearanceSettings = () => {
  const styles = useAppearanceSettingsStyles();
  const { preferences } = useDesk();
  const appearance = useSnapshot((snapshot) => snapshot.preferences.appearance);
  const choose = useAction((value: Preferences['appearance']) => preferences.set({ appearance: value }));
  return (
    <RadioGroup
      className={styles.themes}
      layout="horizontal"
      aria-label={t('settings.theme')}
      value={appearance}
      onChange={(_, { value }) => choose.run(themes.parse(value))}
    >
      {themes.options.map((value) => (
        <Radio key={value} value={value} label={t(`settings.themes.${value}`)} />
      ))}
    </RadioGroup>
  );
};

type Desktop = Preferences['desktop'];

/** How the app behaves in the system around its window. */
const DesktopSettings = () => {
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

const useSettingSwitchStyles = makeStyles({
  // Below the label, after the width of the switch and the room around it.
  remark: { paddingInlineStart: '60px' },
  managed: { color: tokens.colorNeutralForegroundDisabled, '& input': { cursor: 'not-allowed' } },
});

type SettingSwitchProps = {
  readonly label: string;
  readonly hint?: string;
  /** Where it is in the settings. */
  readonly path: ManagedPath;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
};

/** A setting that is on or off and takes effect at once. What the organisation has chosen can only be read. */
const SettingSwitch = ({ label, hint, path, checked, onChange }: SettingSwitchProps) => {
  const styles = useSettingSwitchStyles();
  const managed = useManaged(path);
  const remark = (children: string) => ({ children, className: styles.remark });
  return (
    <Field {...(hint !== undefined && { hint: remark(hint) })} {...(managed && managedField(remark))}>
      <Switch
        label={label}
        checked={checked}
        // It stays in the order of focus, so that everybody learns who has set it.
        {...(managed ? { 'aria-disabled': true, className: styles.managed } : {})}
        onChange={(_, change) => managed || onChange(change.checked)}
      />
    </Field>
  );
};

const usualMegabytes = [250, 500, 1_000, 2_000, 5_000, 10_000, 20_000];

/** The size of the offline data, its limit, and clearing it. */
const StorageSettings = () => {
  const desk = useDesk();
  const { value, error, reload } = useCacheSize();
  const clear = useAction(desk.cache.clear);
  const limit = useSnapshot((snapshot) => snapshot.preferences.cacheLimitMegabytes);
  const choose = useAction((cacheLimitMegabytes: number) => desk.preferences.set({ cacheLimitMegabytes }));
  const choices = [...new Set([...usualMegabytes, limit])].sort((a, b) => a - b);
  return (
    <>
      {error !== undefined && <FailureBar error={error} onRetry={reload} />}
      {value !== undefined && <Text>{t('settings.cacheSize', { size: formatBytes(value.sizeBytes) })}</Text>}
      <SettingChoice
        label={t('settings.cacheLimit')}
        hint={t('settings.cacheLimitHint')}
        path="cache.limitMegabytes"
        value={limit}
        choices={choices.map((value) => ({ value, name: formatBytes(value * 1_000_000) }))}
        onChoose={choose.run}
      />
      <div>
        <Confirm
          title={t('settings.clearQuestion')}
          action={t('settings.clearAction')}
          onConfirm={() => clear.run()}
          trigger={<Button disabledFocusable={clear.busy}>{t('settings.clear')}</Button>}
        >
          {t('settings.clearExplained')}
        </Confirm>
      </div>
    </>
  );
};

const useConnectionSettingsStyles = makeStyles({
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
});

/** The service in use, and changing it. */
const ConnectionSettings = () => {
  const styles = useConnectionSettingsStyles();
  const desk = useDesk();
  const connection = useSnapshot((snapshot) => snapshot.connection);
  const office = useSnapshot((snapshot) => snapshot.office);
  const [changing, setChanging] = useState(false);
  const useSample = useAction(desk.connection.useSample);
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
      <div className={styles.actions}>
        {isFixed ? <ManagedNote /> : <Button onClick={() => setChanging(true)}>{t('settings.change')}</Button>}
        {!connection.sample && office.sampleData && (
          <Button appearance="subtle" disabledFocusable={useSample.busy} onClick={() => useSample.run()}>
            {t('connection.sample')}
          </Button>
        )}
      </div>
    </>
  );
};

/** The session, and signing out. */
const SessionSettings = () => {
  const desk = useDesk();
  const session = useSnapshot((snapshot) => snapshot.session);
  const managed = useManaged('signOut.erases');
  const erases = useSnapshot(({ office }) => office.signOutErases) === 'offline-data';
  const [wanted, setErase] = useState(erases);
  const erase = managed ? erases : wanted;
  const signOut = useAction((eraseCache: boolean) => desk.session.signOut({ eraseCache }));
  if (session.state !== 'signed-in') {
    return (
      <>
        <Text>{t('settings.signedOut')}</Text>
        <div>
          <GoToSignIn />
        </div>
      </>
    );
  }
  return (
    <>
      <Text>
        {session.subject === undefined
          ? t('settings.signedIn')
          : t('settings.signedInAs', { subject: session.subject })}
      </Text>
      <div>
        <Confirm
          title={t('settings.signOutQuestion')}
          action={t('settings.signOut')}
          onConfirm={() => signOut.run(erase)}
          trigger={<Button disabledFocusable={signOut.busy}>{t('settings.signOut')}</Button>}
        >
          {t('settings.signOutExplained')}
          <Field {...(managed && managedField())}>
            <Checkbox
              label={t('settings.erase')}
              checked={erase}
              aria-disabled={managed}
              onChange={(_, { checked }) => setErase(checked === true)}
            />
          </Field>
        </Confirm>
      </div>
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
  example: { color: tokens.colorNeutralForeground3 },
});

const { formats: FormatsChoice, dateFormat: DateFormat } = Preferences.shape;

/** A time and a number that look different in each format. */
const exampleMs = new Date(2026, 2, 31, 14, 5).getTime();
const exampleNumber = 12_345.6;

/** The language of the app, how dates and numbers are written, and how the service's times are read. */
export const LanguageSettings = () => {
  const styles = useLanguageSettingsStyles();
  const desk = useDesk();
  const preferences = useSnapshot((snapshot) => snapshot.preferences);
  const systemLocale = useSnapshot((snapshot) => snapshot.locale);
  const systemLanguage = useSnapshot((snapshot) => snapshot.systemLanguage) ?? languageOf(navigator.languages);
  const { language, formats: choice, dateFormat, timeBase } = preferences;
  const choose = useAction((patch: Partial<Preferences>) => desk.preferences.set(patch));
  const asSystem = (what: string): string => t('settings.asSystem', { what });
  const formatsName = (formats: Preferences['formats']): string => {
    const name = localeName(spokenLocale(), localeOf({ formats, systemLocale }));
    return formats === 'system' ? asSystem(name) : name;
  };
  return (
    <>
      <div className={styles.fields}>
        <SettingChoice
          label={t('settings.language')}
          value={language}
          choices={[
            { value: 'system', name: asSystem(languages[systemLanguage].name) },
            ...Language.options.map((value) => ({ value, name: languages[value].name })),
          ]}
          onChoose={(value) => choose.run({ language: value })}
        />
        <SettingChoice
          label={t('settings.formats')}
          value={choice}
          choices={FormatsChoice.options.map((value) => ({ value, name: formatsName(value) }))}
          onChoose={(value) => choose.run({ formats: value })}
        />
        <SettingChoice
          label={t('settings.dateFormat')}
          value={dateFormat}
          choices={DateFormat.options.map((value) => ({ value, name: t(`settings.dateFormats.${value}`) }))}
          onChoose={(value) => choose.run({ dateFormat: value })}
        />
        <SettingChoice
          label={t('settings.timeBase')}
          hint={t('settings.timeBaseHint')}
          value={timeBase}
          choices={TimeBase.options.map((value) => ({ value, name: t(`settings.timeBases.${value}`) }))}
          onChoose={(value) => choose.run({ timeBase: value })}
        />
      </div>
      <Text className={styles.example} role="status">
        {t('settings.example', { moment: formats().moment(exampleMs), number: formats().number(exampleNumber) })}
      </Text>
    </>
  );
};
