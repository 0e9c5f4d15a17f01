import { makeStyles, Text, tokens } from '@fluentui/react-components';
import type { NewVersion, UpdateStatus } from '../../../contract/app.ts';
import type { Updates } from '../../../contract/preferences.ts';
import { ActionButton } from '../../domain/actions.tsx';
import { FailureBar } from '../../domain/errors.tsx';
import { SettingChoice, usePreference } from '../../domain/setting-choice.tsx';
import { useAction, useDesk, useSnapshot } from '../../state/context.tsx';
import { Line } from '../../ui/page.tsx';
import { formatMoment } from '../../words/dates.ts';
import { t } from '../../words/words.ts';

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

/** Updates of the app: the mode, the state, and checking now. */
export const UpdateSettings = () => {
  const desk = useDesk();
  const update = useSnapshot((snapshot) => snapshot.update);
  const check = useAction(desk.updates.check);
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

/** Whether updates are handled outside of the app, so that settings have no effect. */
const isElsewhere = (update: UpdateStatus): boolean =>
  update.state === 'off' && (update.reason === 'build' || update.reason === 'installer');

const Choices = () => {
  const [updates, set] = usePreference('updates');
  return (
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
