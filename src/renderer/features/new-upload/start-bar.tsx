import { Button, makeStyles, Spinner, Text, tokens } from '@fluentui/react-components';
import { ArrowUndo20Regular, ArrowUpload20Regular } from '@fluentui/react-icons';
import { useState } from 'react';
import type { Draft } from '../../../contract/drafts.ts';
import type { AutomaticReceipt } from '../../../contract/uploads.ts';
import { useManaged } from '../../domain/managed/managed.tsx';
import { useApp, useDesk, useSnapshot } from '../../state/context.tsx';
import { useAction } from '../../state/use-action.ts';
import { t } from '../../words/words.ts';
import { Renames } from './renames.tsx';
import { restText, sumText } from './row-words.ts';
import { StartOptions } from './start-options.tsx';
import { type StartTime, startTimeOf, wantedSchedule } from './start-time.ts';

const useStyles = makeStyles({
  bar: {
    // In a low window it would cover the table.
    '@media (min-height: 520px)': { position: 'sticky', bottom: 0 },
    zIndex: 1,
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalM}`,
    padding: `${tokens.spacingVerticalS} 0`,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    backgroundColor: tokens.colorNeutralBackground1,
  },
  sum: { flex: '1 1 260px', display: 'flex', flexDirection: 'column' },
  rest: { color: tokens.colorNeutralForeground3 },
  buttons: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
});

type StartBarProps = {
  readonly draft: Draft;
  /** The id of the button that starts it. */
  readonly startId: string;
  readonly onUndo: () => void;
  /** What stays is what was not decided. */
  readonly onStarted: () => void;
  /** Whether something speaks against it; undefined until that is known. */
  readonly isDoubtful: boolean | undefined;
};

/** What would be uploaded, and the button that does it. */
export const StartBar = ({ draft, startId, onUndo, onStarted, isDoubtful }: StartBarProps) => {
  const styles = useStyles();
  const { drafts } = useDesk();
  const showStarted = useApp((state) => state.showStarted);
  const usual = useSnapshot(({ preferences }) => preferences.uploadHours);
  const isManaged = useManaged('uploads.hours');
  const [chosen, choose] = useState<StartTime>();
  const time = chosen ?? startTimeOf(usual?.length && !isManaged ? 'hours' : 'now', usual, Date.now());
  const schedule = wantedSchedule(time);
  const usualReceipt = useSnapshot(({ preferences }) => preferences.uploadReceipt ?? 'none');
  const [receipt = usualReceipt, chooseReceipt] = useState<AutomaticReceipt>();
  const [takesLater, takeLater] = useState(false);
  const start = useAction(async () => {
    const { uploadId } = await drafts.start({ schedule, receipt, takesLater, toSend: draft.toSend });
    onStarted();
    await showStarted(uploadId);
  });
  const isReady = draft.phase === 'ready' && draft.toSend.files > 0;
  const rest = restText(draft);
  return (
    <div className={styles.bar}>
      <div className={styles.sum} role="status">
        <Text weight="semibold">{sumText(draft)}</Text>
        {rest !== '' && (
          <Text size={200} className={styles.rest}>
            {rest}
          </Text>
        )}
        <Renames />
      </div>
      <div className={styles.buttons}>
        <StartOptions
          time={time}
          onTime={choose}
          receipt={receipt}
          onReceipt={chooseReceipt}
          takesLater={takesLater}
          onTakesLater={takeLater}
        />
        <Button icon={<ArrowUndo20Regular />} disabledFocusable={!draft.canUndo} onClick={onUndo}>
          {t('newUpload.undo.action')}
        </Button>
        <Button
          id={startId}
          appearance="primary"
          icon={start.busy ? <Spinner size="tiny" /> : <ArrowUpload20Regular />}
          disabledFocusable={start.busy || !isReady || isDoubtful === undefined || schedule === undefined}
          onClick={start.run}
        >
          {isDoubtful === true ? t('newUpload.start.anyway') : t('newUpload.start.action')}
        </Button>
      </div>
    </div>
  );
};
