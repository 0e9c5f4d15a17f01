import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { Add20Regular } from '@fluentui/react-icons';
import { useState } from 'react';
import { isActive } from '../../../contract/uploads.ts';
import { UploadCard } from '../../domain/uploads/batch-view.tsx';
import { folderName, targetName } from '../../domain/uploads/batch-words.ts';
import { groupUploads, type Upload } from '../../domain/uploads/whole-upload.ts';
import { useApp, useSnapshot } from '../../state/context.tsx';
import { Choice } from '../../ui/fields.tsx';
import { Message } from '../../ui/message.tsx';
import { Empty, Page, PageBody, StackList } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useMemoInWords } from '../../words/formats.ts';
import { t } from '../../words/words.ts';

/** All uploads from this computer. */
export const UploadsPage = () => {
  const open = useApp((state) => state.open);
  return (
    <Page
      title={t('uploads.title')}
      actions={
        <>
          <Button onClick={() => open({ name: 'watched-folders' })}>{t('watched.title')}</Button>
          <Button appearance="primary" icon={<Add20Regular />} onClick={() => open({ name: 'new-upload' })}>
            {t('newUpload.title')}
          </Button>
        </>
      }
    >
      <PageBody>
        <WaitingDraft />
        <UploadList />
      </PageBody>
    </Page>
  );
};

/** The upload that is being prepared, and what it still needs; nothing without one. */
const WaitingDraft = () => {
  const draft = useSnapshot((snapshot) => snapshot.draft);
  const open = useApp((state) => state.open);
  if (draft === undefined) return null;
  const { undecided } = draft.counts;
  return (
    <Message
      intent="info"
      title={t('newUpload.waiting.title')}
      action={
        <Button size="small" onClick={() => open({ name: 'new-upload' })}>
          {t('newUpload.waiting.open')}
        </Button>
      }
    >
      {undecided > 0 ? `${t('newUpload.start.undecided', { count: undecided })}.` : draft.names.join(', ')}
    </Message>
  );
};

const useUploadListStyles = makeStyles({
  filter: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
  more: { alignSelf: 'center' },
});

/** Uploads shown at first, and added with each press of the button below them. */
const PAGE = 50;

const everything: UploadFilter = { text: '', state: undefined, period: undefined };

/** All uploads from this computer, with a search and filters if there are several. */
const UploadList = () => {
  const styles = useUploadListStyles();
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const assignments = useApp((state) => state.assignments);
  const [filter, setFilter] = useState(everything);
  const [most, setMost] = useState(PAGE);
  const uploads = useMemoInWords(() => groupUploads(batches), [batches]);
  const change = (changed: Partial<UploadFilter>): void => {
    setFilter({ ...filter, ...changed });
    setMost(PAGE);
  };
  if (uploads.length === 0) return <Empty title={t('uploads.empty')} hint={t('uploads.emptyHint')} />;
  const now = new Date();
  const found = uploads.filter((upload) =>
    isShown(upload, filter, (batch) => targetName(batch, assignments[batch.AssignmentId]), now),
  );
  return (
    <>
      {uploads.length > 1 && (
        <div className={styles.filter}>
          <SearchField
            label={t('uploads.find.search')}
            value={filter.text}
            onChange={(_, { value }) => change({ text: value })}
          />
          <Choice
            label={t('uploads.files.state')}
            all={t('uploads.find.allStates')}
            values={uploadStates}
            nameOf={(value) => t(stateNames[uploadStates.find((state) => state === value) ?? 'active'])}
            value={filter.state}
            onChange={(value) => change({ state: uploadStates.find((state) => state === value) })}
          />
          <Choice
            label={t('uploads.find.period')}
            all={t('uploads.find.allDates')}
            values={uploadPeriods}
            nameOf={(value) => t(`uploads.find.${uploadPeriods.find((period) => period === value) ?? 'today'}`)}
            value={filter.period}
            onChange={(value) => change({ period: uploadPeriods.find((period) => period === value) })}
          />
        </div>
      )}
      {found.length === 0 ? (
        <Empty title={t('uploads.find.none')} />
      ) : (
        <StackList label={t('uploads.title')}>
          {found.slice(0, most).map((upload) => (
            <UploadCard key={upload.uploadId} upload={upload} />
          ))}
        </StackList>
      )}
      {found.length > most && (
        <Button className={styles.more} onClick={() => setMost(most + PAGE)}>
          {t('uploads.find.more')}
        </Button>
      )}
    </>
  );
};

const stateNames = {
  active: 'uploads.state.running',
  paused: 'uploads.state.paused',
  finished: 'uploads.state.finished',
  failures: 'uploads.state.finishedWithFailures',
  cancelled: 'uploads.state.cancelled',
} as const;

const uploadStates = ['active', 'paused', 'finished', 'failures', 'cancelled'] as const;
type UploadState = (typeof uploadStates)[number];

/** Days that an upload may have started before; `today`: since midnight. */
const uploadPeriods = ['today', 'week', 'month', 'year'] as const;
type UploadPeriod = (typeof uploadPeriods)[number];

const days: Readonly<Record<UploadPeriod, number>> = { today: 0, week: 7, month: 30, year: 365 };

export type UploadFilter = {
  readonly text: string;
  readonly state: UploadState | undefined;
  readonly period: UploadPeriod | undefined;
};

/** Whether the upload is shown. `nameOf`: the name of an assignment; `now`: the present moment. */
export const isShown = (
  { batches, whole }: Upload,
  { text, state, period }: UploadFilter,
  nameOf: (batch: Upload['whole']) => string,
  now: Date,
): boolean => {
  if (state !== undefined && stateOf(whole) !== state) return false;
  if (period !== undefined && whole.createdAtMs < startOf(period, now)) return false;
  const wanted = text.trim().toLocaleLowerCase();
  return (
    wanted === '' ||
    batches.some((batch) => `${folderName(batch.root)}\n${nameOf(batch)}`.toLocaleLowerCase().includes(wanted))
  );
};

const stateOf = (whole: Upload['whole']): UploadState => {
  if (isActive(whole)) return 'active';
  if (whole.state === 'paused' || whole.state === 'cancelled') return whole.state;
  return whole.failed + (whole.notReplaced ?? 0) > 0 ? 'failures' : 'finished';
};

/** The midnight with which the period begins. */
const startOf = (period: UploadPeriod, now: Date): number =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - days[period]).getTime();
