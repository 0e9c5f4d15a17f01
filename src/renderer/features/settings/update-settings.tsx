import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import type { NewVersion, UpdateStatus } from '../../../contract/app.ts';
import type { Preferences } from '../../../contract/preferences.ts';
import { FailureBar } from '../../domain/errors.tsx';
import { useAction, useDesk, useSnapshot } from '../../state/context.tsx';
import { formatMoment } from '../../words/dates.ts';
import { t } from '../../words/words.ts';
import { SettingChoice } from './setting-choice.tsx';

const useStyles = makeStyles({
  notes: { whiteSpace: 'pre-wrap', maxWidth: '60ch', marginBlock: tokens.spacingVerticalXS },
});

const statusText = (update: UpdateStatus): string | undefined => {
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

/** Newer versions of the app: whether they are installed, what was found, and looking for one now. */
export const UpdateSettings = () => {
  const desk = useDesk();
  const update = useSnapshot((snapshot) => snapshot.update);
  const check = useAction(desk.updates.check);
  const restart = useAction(desk.updates.install);
  const text = statusText(update);
  return (
    <>
      {!isElsewhere(update) && <Choices />}
      {update.state === 'failed' && <FailureBar error={update.error} onRetry={() => check.run()} />}
      {text !== undefined && (
        <div role="status">
          <Text>{text}</Text>
        </div>
      )}
      {update.state === 'ready' && <Notes found={update.found} />}
      {update.state === 'current' && (
        <div>
          <Button disabledFocusable={check.busy} onClick={() => check.run()}>
            {t('settings.updates.check')}
          </Button>
        </div>
      )}
      {update.state === 'ready' && (
        <div>
          <Button disabledFocusable={restart.busy} onClick={() => restart.run()}>
            {t('settings.updates.restart')}
          </Button>
        </div>
      )}
    </>
  );
};

/** Whether nothing that is set here would change anything. */
const isElsewhere = (update: UpdateStatus): boolean =>
  update.state === 'off' && (update.reason === 'build' || update.reason === 'installer');

const Choices = () => {
  const { preferences } = useDesk();
  const updates = useSnapshot((snapshot) => snapshot.preferences.updates);
  const choose = useAction((chosen: Partial<Preferences['updates']>) =>
    preferences.set({ updates: { ...updates, ...chosen } }),
  );
  return (
    <>
      <SettingChoice
        label={t('settings.updates.mode')}
        path="updates.mode"
        value={updates.mode}
        choices={(['automatic', 'off'] as const).map((value) => ({
          value,
          name: t(`settings.updates.modes.${value}`),
        }))}
        onChoose={(mode) => choose.run({ mode })}
      />
      <SettingChoice
        label={t('settings.updates.channel')}
        path="updates.channel"
        value={updates.channel}
        choices={(['latest', 'beta'] as const).map((value) => ({
          value,
          name: t(`settings.updates.channels.${value}`),
        }))}
        onChoose={(channel) => choose.run({ channel })}
      />
    </>
  );
};

const Notes = ({ found: { version, notes } }: { readonly found: NewVersion }) => {
  const styles = useStyles();
  if (notes === undefined) return null;
  return (
    <section>
      <Text weight="semibold">{t('settings.updates.notes', { version })}</Text>
      <p className={styles.notes}>{notes}</p>
    </section>
  );
};
