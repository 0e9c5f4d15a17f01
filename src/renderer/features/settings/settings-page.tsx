import { Button, Field, Image, Input, makeStyles, Radio, RadioGroup, Text, tokens } from '@fluentui/react-components';
import { Delete20Regular, Edit20Regular } from '@fluentui/react-icons';
import { useState } from 'react';
import type { UpdateStatus } from '../../../contract/app.ts';
import type { MatchingRule } from '../../../contract/drafts.ts';
import {
  Language,
  type Letterhead,
  LogLevel,
  type ManagedPath,
  Preferences,
  type Updates,
} from '../../../contract/preferences.ts';
import { assignmentName, TimeBase } from '../../../contract/resources.ts';
import { localeOf } from '../../../words/formats.ts';
import { languageOf, languages } from '../../../words/languages.ts';
import { ActionButton, OpenButton } from '../../domain/actions.tsx';
import { TargetField } from '../../domain/assignments/target-field.tsx';
import { ConnectionForm } from '../../domain/connection/connection-form.tsx';
import { FailureBar } from '../../domain/errors.tsx';
import { ManagedNote, managedField, useManaged } from '../../domain/managed.tsx';
import { offlinePart } from '../../domain/offline.tsx';
import { GoToSignIn, OpenDoctor } from '../../domain/reach.tsx';
import { PreferenceChoice, SettingChoice, SettingSwitch, usePreference } from '../../domain/setting-choice.tsx';
import { SignOut } from '../../domain/sign-out.tsx';
import { useCallQuery, useCalls } from '../../queries/query.tsx';
import { useAction, useDesk, useSnapshot } from '../../state/store.tsx';
import { type Column, nameCells, timeCells } from '../../ui/data-table/columns.tsx';
import { PlainTable } from '../../ui/data-table/data-table.tsx';
import { DialogFrame } from '../../ui/dialog-frame.tsx';
import { useDialog } from '../../ui/dialogs.tsx';
import { Facts, Line, Minor, Page } from '../../ui/page.tsx';
import { type PageSection, PageSections } from '../../ui/page-sections.tsx';
import { formatBytes } from '../../words/amounts.ts';
import { formatMoment } from '../../words/dates.ts';
import { formats, localeName } from '../../words/formats.ts';
import { spokenLocale, t } from '../../words/words.ts';
import { NetworkSettings } from './network-settings.tsx';
import { UploadSettings } from './upload-settings.tsx';

export const SettingsPage = () => {
  const hasDesktop = useSnapshot((snapshot) => snapshot.hasDesktop);
  const sections: readonly PageSection[] = [
    { id: 'connection', title: t('settings.connection'), children: <ConnectionSettings /> },
    { id: 'sign-in', title: t('settings.signIn'), children: <SessionSettings /> },
    { id: 'appearance', title: t('settings.appearance'), children: <AppearanceSettings /> },
    { id: 'language', title: t('settings.languageAndDates'), children: <LanguageSettings /> },
    { id: 'uploads', title: t('uploads.title'), children: <UploadSettings /> },
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
        path="log.level"
        values={LogLevel.options}
        nameOf={(level) => t(`settings.logLevels.${level}`)}
      />
      <Line>
        <OpenButton place={{ name: 'licences' }}>{t('licences.title')}</OpenButton>
        <OpenDoctor />
        <ActionButton act={app.openLogs}>{t('settings.openLogs')}</ActionButton>
      </Line>
    </>
  );
};

const { appearance: Theme, formats: FormatsChoice, dateFormat: DateFormat } = Preferences.shape;

const useStyles = makeStyles({
  themes: { flexWrap: 'wrap' },
  fields: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, min(340px, 100%))',
    alignItems: 'start',
    gap: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalXXL}`,
  },
  notes: { whiteSpace: 'pre-wrap', maxWidth: '60ch', marginBlock: tokens.spacingVerticalXS },
  field: { width: '100%', maxWidth: '340px' },
  // Logos are made for white paper, so the background is always white.
  logo: {
    justifySelf: 'start',
    maxWidth: '240px',
    maxHeight: '72px',
    padding: tokens.spacingHorizontalS,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: 'white',
  },
});

const AppearanceSettings = () => {
  const styles = useStyles();
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

const StorageSettings = () => {
  const { cache } = useDesk();
  const { value, error, reload } = useCallQuery(useCalls().cache.size());
  return (
    <>
      {error !== undefined && <FailureBar error={error} onRetry={reload} />}
      {value !== undefined && <Text>{t('settings.cacheSize', { size: formatBytes(value.sizeBytes) })}</Text>}
      <PreferenceChoice
        name="cacheLimitMegabytes"
        hint={t('settings.cacheLimitMegabytesHint')}
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
        {connection.former && (
          <ActionButton act={desk.connection.leaveSample}>{t('settings.leaveSample')}</ActionButton>
        )}
        {!connection.sample && office.sampleData && (
          <ActionButton
            appearance="subtle"
            act={desk.connection.useSample}
            question={{
              title: t('settings.sampleQuestion'),
              text: t('settings.sampleExplained', { host: new URL(connection.baseUrl).host }),
              action: t('settings.sampleAction'),
            }}
          >
            {t('connection.sample')}
          </ActionButton>
        )}
      </Line>
    </>
  );
};

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

/** The time in the example of the formats. It looks different in each format. */
const exampleMs = new Date(2026, 2, 31, 14, 5).getTime();
const exampleNumber = 12_345.6;

const LanguageSettings = () => {
  const styles = useStyles();
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
          values={['system', ...Language.options]}
          nameOf={(value) => (value === 'system' ? asSystem(languages[systemLanguage].name) : languages[value].name)}
        />
        <PreferenceChoice name="formats" values={FormatsChoice.options} nameOf={formatsName} />
        <PreferenceChoice
          name="dateFormat"
          values={DateFormat.options}
          nameOf={(value) => t(`settings.dateFormats.${value}`)}
        />
        <PreferenceChoice
          name="timeBase"
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

const updateText = (update: UpdateStatus): string | undefined => {
  switch (update.state) {
    case 'off':
      return t(`settings.updates.off.${update.reason}`);
    case 'current':
      return update.checkedAtMs === undefined
        ? t('settings.updates.never')
        : t('settings.updates.current', { moment: formatMoment(update.checkedAtMs) });
    case 'checking':
      return t('settings.updates.checking');
    case 'downloading':
      return t('settings.updates.downloading', { version: update.found.version, count: update.percent });
    case 'ready':
      return t('settings.updates.ready', { version: update.found.version });
    case 'failed':
      return undefined;
  }
};

const UpdateSettings = () => {
  const styles = useStyles();
  const desk = useDesk();
  const [updates, set] = usePreference('updates');
  const update = useSnapshot((snapshot) => snapshot.update);
  const check = useAction(desk.updates.check);
  const text = updateText(update);
  return (
    <>
      {!isElsewhere(update) && (
        <>
          <SettingChoice<Updates['mode']>
            label={t('settings.updates.mode')}
            path="updates.mode"
            value={updates.mode}
            values={['automatic', 'off']}
            nameOf={(mode) => t(`settings.updates.modes.${mode}`)}
            onChoose={(mode) => set({ ...updates, mode })}
          />
          <SettingChoice<Updates['channel']>
            label={t('settings.updates.channel')}
            path="updates.channel"
            value={updates.channel}
            values={['latest', 'beta']}
            nameOf={(channel) => t(`settings.updates.channels.${channel}`)}
            onChoose={(channel) => set({ ...updates, channel })}
          />
        </>
      )}
      {update.state === 'failed' && <FailureBar error={update.error} onRetry={() => check.run()} />}
      {text !== undefined && (
        <div role="status">
          <Text>{text}</Text>
        </div>
      )}
      {update.state === 'ready' && update.found.notes !== undefined && (
        <section>
          <Text weight="semibold">{t('settings.updates.notes', { version: update.found.version })}</Text>
          <p className={styles.notes}>{update.found.notes}</p>
        </section>
      )}
      {update.state === 'current' && (
        <Line>
          <ActionButton act={desk.updates.check}>{t('settings.updates.check')}</ActionButton>
        </Line>
      )}
      {update.state === 'ready' && (
        <Line>
          <ActionButton act={desk.updates.install}>{t('settings.updates.restart')}</ActionButton>
        </Line>
      )}
    </>
  );
};

/**
 * Whether the settings for updates have no effect, because the app does not update itself in this build or
 * installation.
 */
const isElsewhere = (update: UpdateStatus): boolean =>
  update.state === 'off' && (update.reason === 'build' || update.reason === 'installer');

// A matching rule contains the assignment that a user chose for folders with the rule's name.

const ruleAssignment = ({ assignment, AssignmentId }: MatchingRule): string =>
  (assignment && assignmentName(assignment)) || AssignmentId;

const RuleSettings = () => {
  const desk = useDesk();
  const { value: rules = [], error, reload } = useCallQuery(useCalls().rules.list());
  const changing = useDialog<MatchingRule>();
  const columns: readonly Column<MatchingRule>[] = [
    { id: 'Folder', header: 'common.folder', ...nameCells(({ name }) => name) },
    { id: 'Assignment', header: 'common.assignment', width: '42%', cell: ruleAssignment },
    {
      id: 'Confirmed',
      header: 'settings.rules.confirmed',
      width: '120px',
      minor: true,
      ...timeCells(({ confirmedAtMs }) => confirmedAtMs, 'day'),
    },
    {
      id: 'Actions',
      header: 'common.actions',
      width: '108px',
      cell: (rule) => (
        <>
          <Button
            appearance="subtle"
            icon={<Edit20Regular />}
            aria-label={t('settings.rules.changeNamed', { name: rule.name })}
            onClick={({ currentTarget }) => changing.open(currentTarget, rule)}
          />
          <ActionButton
            appearance="subtle"
            icon={<Delete20Regular />}
            aria-label={t('settings.rules.removeNamed', { name: rule.name })}
            act={() => desk.rules.remove({ ruleId: rule.ruleId })}
          />
        </>
      ),
      text: false,
    },
  ];
  return (
    <>
      {error !== undefined && <FailureBar error={error} onRetry={reload} />}
      <Text>{rules.length === 0 ? t('settings.rules.none') : t('settings.rules.explained')}</Text>
      {rules.length > 0 && (
        <>
          <PlainTable
            id="matching-rules"
            label={t('settings.rules.title')}
            columns={columns}
            rows={rules}
            rowKey={({ ruleId }) => ruleId}
            maxHeight={320}
          />
          {changing.about && <RuleDialog rule={changing.about} onClose={changing.close} />}
          <Line>
            <ActionButton
              act={desk.rules.clear}
              question={{
                title: t('settings.rules.clearQuestion'),
                text: t('settings.rules.clearExplained'),
                action: t('common.remove'),
              }}
            >
              {t('settings.rules.clear')}
            </ActionButton>
          </Line>
        </>
      )}
    </>
  );
};

const RuleDialog = ({ rule, onClose }: { readonly rule: MatchingRule; readonly onClose: () => void }) => {
  const { rules } = useDesk();
  const [AssignmentId, choose] = useState(rule.AssignmentId);
  return (
    <DialogFrame
      title={t('settings.rules.changeTitle', { name: rule.name })}
      onClose={onClose}
      main={{
        label: t('common.save'),
        disabled: AssignmentId === rule.AssignmentId,
        act: () => rules.set({ ruleId: rule.ruleId, AssignmentId }),
        onDone: onClose,
      }}
    >
      <Text>{t('settings.rules.changeExplained')}</Text>
      <Field label={t('common.assignment')}>
        <TargetField chosenId={AssignmentId} onChoose={choose} />
      </Field>
    </DialogFrame>
  );
};

const LetterheadSettings = () => {
  const [letterhead, set] = usePreference('letterhead');
  const subject = useSnapshot(({ session }) => (session.state === 'signed-in' ? session.subject : undefined)) ?? '';
  const { [subject]: person = '', ...others } = letterhead.people;
  const { office = '', ...rest } = letterhead;
  const withOffice = (name: string): Letterhead => (name === '' ? rest : { ...rest, office: name });
  return (
    <>
      <NameField
        key={subject}
        label={t('settings.letterhead.person')}
        hint={t('settings.letterhead.personHint')}
        name={person}
        onChange={(name) => set({ ...letterhead, people: name === '' ? others : { ...others, [subject]: name } })}
      />
      <NameField
        label={t('settings.letterhead.office')}
        path="letterhead.office"
        name={office}
        onChange={(name) => set(withOffice(name))}
      />
      <Logo path={letterhead.logo} />
    </>
  );
};

const MOST_NAME_LETTERS = 100;

type NameFieldProps = {
  readonly label: string;
  readonly hint?: string;
  readonly path?: ManagedPath;
  readonly name: string;
  readonly onChange: (name: string) => void;
};

/** A field for a name. The name is stored when the field is left or Enter is pressed. */
const NameField = ({ label, hint, path, name, onChange }: NameFieldProps) => {
  const styles = useStyles();
  const managed = useManaged(path);
  const [typed, setTyped] = useState<string>();
  const store = (): void => {
    setTyped(undefined);
    if (typed !== undefined && typed.trim() !== name) onChange(typed.trim());
  };
  return (
    <Field className={styles.field} label={label} {...(managed ? managedField() : hint !== undefined && { hint })}>
      <Input
        value={typed ?? name}
        readOnly={managed}
        maxLength={MOST_NAME_LETTERS}
        autoComplete="off"
        onChange={(_, { value }) => setTyped(value)}
        onBlur={store}
        onKeyDown={({ key }) => key === 'Enter' && store()}
      />
    </Field>
  );
};

const Logo = ({ path }: { readonly path: string | undefined }) => {
  const styles = useStyles();
  const { receipts } = useDesk();
  const managed = useManaged('letterhead.logo');
  const { queryKey, queryFn } = useCalls().receipts.logo();
  const logo = { queryKey: [...queryKey, path], queryFn, enabled: path !== undefined, gcTime: 0 };
  const { value, error, reload } = useCallQuery(logo);
  return (
    <>
      <Field
        className={styles.field}
        label={t('settings.letterhead.logo')}
        {...(managed ? managedField() : { hint: t('settings.letterhead.logoHint') })}
      >
        {path === undefined ? (
          <Input readOnly value={t('settings.letterhead.noLogo')} />
        ) : (
          <Image className={styles.logo} fit="contain" src={value} alt={t('settings.letterhead.logo')} />
        )}
      </Field>
      {error !== undefined && <FailureBar error={error} onRetry={reload} />}
      {!managed && (
        <Line>
          <ActionButton act={receipts.pickLogo}>{t('settings.letterhead.pick')}</ActionButton>
          {path !== undefined && (
            <ActionButton act={receipts.forgetLogo}>{t('settings.letterhead.forget')}</ActionButton>
          )}
        </Line>
      )}
    </>
  );
};
