/** What the pages of one folder and of several folders share. */
import { makeStyles, Text, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import type { Batch } from '../../../contract/uploads.ts';
import { ActionButton } from '../../domain/actions.tsx';
import { Failure } from '../../domain/errors.tsx';
import { useDesk } from '../../state/context.tsx';
import { Line, Page } from '../../ui/page.tsx';
import { narrow, stacked } from '../../ui/styles.ts';
import { t } from '../../words/words.ts';

/** The page of an upload that this computer does not know. */
export const UnknownUpload = ({ id }: { readonly id: string }) => (
  <Page title={t('uploads.one')}>
    <Failure error={{ code: 'upload/batch-unknown', message: `upload ${id}`, retry: 'never', details: {} }} />
  </Page>
);

const useStyles = makeStyles({
  summary: {
    ...stacked(tokens.spacingVerticalS),
    padding: `0 ${tokens.spacingHorizontalXXL} ${tokens.spacingVerticalS}`,
    [narrow]: { paddingInline: tokens.spacingHorizontalM },
  },
  // The first icon is level with the title.
  bar: { marginInlineStart: `calc(-1 * ${tokens.spacingHorizontalM})` },
});

type UploadSummaryProps = {
  /** What can be done with the files, in the same place whatever the state of the upload. */
  readonly files: ReactNode;
  /** What can be done with the upload now. */
  readonly actions: ReactNode;
  readonly children: ReactNode;
};

/** The command bar of an upload, and its state above the table. */
export const UploadSummary = ({ files, actions, children }: UploadSummaryProps) => {
  const styles = useStyles();
  return (
    <div className={styles.summary}>
      <Line className={styles.bar}>
        {files}
        {actions}
      </Line>
      {children}
    </div>
  );
};

type AddedLaterProps = {
  /** A batch, or (`upload`) all batches of an upload in one. */
  readonly batch: Batch;
  readonly upload?: string;
};

/** How many files were added to the folder after the review, and a button that uploads them. Nothing if there are none. */
export const AddedLater = ({ batch, upload }: AddedLaterProps) => {
  const { uploads } = useDesk();
  const { batchId, leftOut, state } = batch;
  const count = leftOut.later ?? 0;
  if (count === 0 || state === 'cancelled') return null;
  const add = (): Promise<unknown> =>
    upload === undefined ? uploads.addLater({ batchId }) : uploads.addAllLater({ uploadId: upload });
  return (
    <Line role="status">
      <Text>{t('uploads.later', { count })}</Text>
      <ActionButton size="small" act={add}>
        {t('uploads.action.addLater')}
      </ActionButton>
    </Line>
  );
};
