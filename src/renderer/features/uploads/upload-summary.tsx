/** What the pages of one folder and of several folders share. */
import { makeStyles, Text, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import type { Batch } from '../../../contract/uploads.ts';
import { ActionButton } from '../../domain/actions.tsx';
import { Failure } from '../../domain/errors.tsx';
import { useDesk } from '../../state/context.tsx';
import { Line, Page } from '../../ui/page.tsx';
import { narrow } from '../../ui/styles.ts';
import { t } from '../../words/words.ts';

/** The page of an upload that this computer does not know. */
export const UnknownUpload = ({ id }: { readonly id: string }) => (
  <Page title={t('uploads.one')}>
    <Failure error={{ code: 'upload/batch-unknown', message: `upload ${id}`, retry: 'never', details: {} }} />
  </Page>
);

const useStyles = makeStyles({
  summary: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalS,
    padding: `0 ${tokens.spacingHorizontalXXL} ${tokens.spacingVerticalS}`,
    [narrow]: { paddingInline: tokens.spacingHorizontalM },
  },
});

/** The state and the actions above the table. */
export const UploadSummary = ({ children }: { readonly children: ReactNode }) => (
  <div className={useStyles().summary}>{children}</div>
);

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
