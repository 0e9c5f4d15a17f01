import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { ArrowClockwise20Regular, Dismiss20Regular, Pause20Regular, Play20Regular } from '@fluentui/react-icons';
import { useLayoutEffect, useRef, useState } from 'react';
import { isOpen } from '../../../contract/hours.ts';
import { type Batch, hasEnded, isActive, isBeingCancelled, isHeldBack } from '../../../contract/uploads.ts';
import { useAction, useDesk, useSnapshot } from '../../state/context.tsx';
import { Confirm } from '../../ui/dialogs.tsx';
import { useLatest } from '../../ui/hooks.ts';
import { t } from '../../words/words.ts';
import { folderName } from './batch-words.ts';

const useStyles = makeStyles({
  actions: { display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', gap: tokens.spacingHorizontalS },
});

/** How many files failed, or arrived without the earlier file being removed. */
const failures = ({ failed, notReplaced = 0 }: Batch): number => failed + notReplaced;

/** Whether failed files can be retried while others of the upload are still queued. */
const canRetryMeanwhile = (batch: Batch): boolean =>
  failures(batch) > 0 && (batch.state === 'running' || batch.state === 'paused') && !isBeingCancelled(batch);

type Step = 'pause' | 'resume' | 'retryFailed';

const steps = {
  pause: { name: () => t('uploads.action.pause'), icon: <Pause20Regular />, appearance: 'secondary' },
  resume: { name: () => t('uploads.action.resume'), icon: <Play20Regular />, appearance: 'primary' },
  retryFailed: {
    name: () => t('uploads.action.retryFailed'),
    icon: <ArrowClockwise20Regular />,
    // Often something else has to be done first.
    appearance: 'secondary',
  },
} as const;

/** The most likely next step of an upload. `isAllowed`: now, by the organisation's hours. */
const nextStep = (batch: Batch, isAllowed: boolean): Step | undefined => {
  if (isActive(batch)) return 'pause';
  if (batch.state === 'paused') return isAllowed || !isHeldBack(batch) ? 'resume' : undefined;
  return batch.state === 'finished' && failures(batch) > 0 ? 'retryFailed' : undefined;
};

/** The calls that take a step for all batches of an upload. */
const ofAll = {
  pause: 'pauseAll',
  resume: 'resumeAll',
  retryFailed: 'retryAllFailed',
  cancel: 'cancelAll',
} as const;

type RetryMeanwhileProps = {
  readonly busy: boolean;
  readonly onRetry: () => void;
  /** Called before the focused button is removed. */
  readonly onLeave: () => void;
};

/** Retries failed files while the others are still queued. */
const RetryMeanwhile = ({ busy, onRetry, onLeave }: RetryMeanwhileProps) => {
  const [button, setButton] = useState<HTMLButtonElement | null>(null);
  const leave = useLatest(onLeave);
  useLayoutEffect(
    () => () => {
      if (document.activeElement === button) leave();
    },
    [button, leave],
  );
  return (
    <Button ref={setButton} icon={steps.retryFailed.icon} disabledFocusable={busy} onClick={onRetry}>
      {steps.retryFailed.name()}
    </Button>
  );
};

type BatchActionsProps = {
  readonly batch: Batch;
  /** The upload that `batch` stands for: every step then applies to all of its batches. */
  readonly upload?: string | undefined;
};

/** The actions on an upload in its present state. */
export const BatchActions = ({ batch, upload: uploadId }: BatchActionsProps) => {
  const styles = useStyles();
  const { uploads } = useDesk();
  const act = useAction(async (step: Step | 'cancel') => {
    if (uploadId === undefined) await uploads[step]({ batchId: batch.batchId });
    else await uploads[ofAll[step]]({ uploadId });
  });
  const officeHours = useSnapshot(({ managed, preferences }) =>
    managed.includes('uploads.hours') ? preferences.uploadHours : undefined,
  );
  const step = nextStep(batch, isOpen(officeHours ?? [], new Date()));
  const [main, setMain] = useState<HTMLButtonElement | null>(null);
  const following = useRef(step);
  following.current = step;
  return (
    <div className={styles.actions}>
      {/* One button whatever the step, so that it keeps the focus when the step changes. */}
      {step !== undefined && (
        <Button
          ref={setMain}
          icon={steps[step].icon}
          appearance={steps[step].appearance}
          disabledFocusable={act.busy}
          onClick={() => act.run(step)}
        >
          {steps[step].name()}
        </Button>
      )}
      {canRetryMeanwhile(batch) && (
        <RetryMeanwhile
          busy={act.busy}
          onRetry={() => act.run('retryFailed')}
          // When the upload has ended, the main button retries too. A second key press must not reach another button.
          onLeave={() => following.current === 'retryFailed' && main?.focus()}
        />
      )}
      {!hasEnded(batch) && (
        <Confirm
          title={t('uploads.action.cancelQuestion')}
          action={t('uploads.action.cancel')}
          keep={t('uploads.action.keep')}
          onConfirm={() => act.run('cancel')}
          trigger={
            <Button appearance="subtle" icon={<Dismiss20Regular />} disabledFocusable={act.busy}>
              {t('uploads.action.cancel')}
            </Button>
          }
        >
          {t('uploads.action.cancelExplained', { folder: folderName(batch.root) })}
        </Confirm>
      )}
    </div>
  );
};
