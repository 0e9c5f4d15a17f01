import { Button, makeStyles, tokens } from '@fluentui/react-components';
import {
  ArrowClockwise20Regular,
  ArrowUp20Regular,
  Dismiss20Regular,
  Pause20Regular,
  Play20Regular,
} from '@fluentui/react-icons';
import { isOpen } from '../../../contract/hours.ts';
import {
  type Batch,
  canSendFirst,
  hasEnded,
  isActive,
  isBeingCancelled,
  isHeldBack,
  isSparing,
  type UploadStep,
} from '../../../contract/uploads.ts';
import { useAction, useDesk, useSnapshot } from '../../state/store.tsx';
import { t } from '../../words/words.ts';
import { ActionButton } from '../actions.tsx';
import { batchName } from './batch-words.ts';

const useStyles = makeStyles({
  actions: {
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'flex-end',
    gap: tokens.spacingHorizontalS,
    marginInlineStart: 'auto',
  },
});

/** Returns the target of a step: the batch or, if `upload` is defined, all batches of that upload. */
export const targetOf = ({ batchId }: Batch, upload: string | undefined) =>
  upload === undefined ? { batchId } : { uploadId: upload };

const failures = ({ failed, notReplaced = 0 }: Batch): number => failed + notReplaced;

/** Whether failed files can be retried. That is also possible while other files of the upload are still queued. */
const canRetry = (batch: Batch): boolean =>
  failures(batch) > 0 && batch.state !== 'scanning' && batch.state !== 'cancelled' && !isBeingCancelled(batch);

/** Whether the upload can be resumed. `isAllowed`: whether the organisation's upload hours allow uploads now. */
const canResume = (batch: Batch, isAllowed: boolean): boolean =>
  batch.state === 'paused' && (isAllowed || !isHeldBack(batch));

/**
 * Whether the upload stopped because the session ended, and no user has signed in since. The upload resumes when its
 * user signs in.
 */
export const useNeedsSignIn = ({ reason }: Batch): boolean => {
  const signedIn = useSnapshot(({ session }) => session.state === 'signed-in');
  return !signedIn && reason?.code.startsWith('auth/') === true;
};

type BatchActionsProps = {
  readonly batch: Batch;
  /** The id of the upload, if `batch` is the sum of its batches. Every action then applies to all of these batches. */
  readonly upload?: string | undefined;
  readonly isMain?: boolean;
};

/**
 * Buttons for the actions that the state of an upload allows. They are disabled if the upload belongs to another user.
 * Actions that can appear later come first, so that no button takes the place of another while the upload is in
 * progress.
 */
export const BatchActions = ({ batch, upload, isMain = false }: BatchActionsProps) => {
  const styles = useStyles();
  const { uploads } = useDesk();
  const act = useAction((step: UploadStep) => uploads[step](targetOf(batch, upload)));
  const officeHours = useSnapshot(({ managed, preferences }) =>
    managed.includes('uploads.hours') ? preferences.uploadHours : undefined,
  );
  const isBesideOthers = useSnapshot(({ batches }) =>
    batches.some((one) => one.uploadId !== batch.uploadId && !hasEnded(one)),
  );
  const isDisabled = act.busy || batch.isOthers === true;
  const needsSignIn = useNeedsSignIn(batch);
  const resumes = !needsSignIn && canResume(batch, isOpen(officeHours ?? [], new Date()));
  return (
    <div className={styles.actions}>
      {canRetry(batch) && (
        <Button
          icon={<ArrowClockwise20Regular />}
          disabledFocusable={isDisabled}
          onClick={() => act.run('retryFailed')}
        >
          {t('uploads.action.retryFailed')}
        </Button>
      )}
      {canSendFirst(batch) && (isBesideOthers || batch.isFirst) && (
        <Button
          appearance="subtle"
          icon={<ArrowUp20Regular />}
          disabledFocusable={isDisabled || batch.isFirst === true}
          onClick={() => act.run('sendFirst')}
        >
          {t(batch.isFirst ? 'uploads.action.isFirst' : 'uploads.action.sendFirst')}
        </Button>
      )}
      {!hasEnded(batch) && (
        <ActionButton
          appearance="subtle"
          icon={<Dismiss20Regular />}
          disabled={isDisabled}
          act={async () => act.run('cancel')}
          question={{
            title: t('uploads.action.cancelQuestion'),
            text: t('uploads.action.cancelExplained', { folder: batchName(batch) }),
            action: t('uploads.action.cancel'),
            keep: t('uploads.action.keep'),
          }}
        >
          {t('uploads.action.cancel')}
        </ActionButton>
      )}
      {/* One button pauses and resumes, so that it keeps the focus. */}
      {(resumes || isActive(batch)) && (
        <Button
          icon={resumes ? <Play20Regular /> : <Pause20Regular />}
          appearance={resumes && isMain ? 'primary' : 'secondary'}
          disabledFocusable={isDisabled}
          onClick={() => act.run(resumes ? 'resume' : 'pause')}
        >
          {t(`uploads.action.${resumes ? (isSparing(batch) ? 'anyway' : 'resume') : 'pause'}`)}
        </Button>
      )}
    </div>
  );
};
