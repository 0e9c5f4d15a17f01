import { Button, makeStyles } from '@fluentui/react-components';
import { DocumentCheckmark20Regular } from '@fluentui/react-icons';
import { useState } from 'react';
import { hasBeginnings, plainWords, searchable } from '../../../contract/search.ts';
import { type Batch, batchName, isActive } from '../../../contract/uploads.ts';
import { NewUploadButton, OpenButton } from '../../domain/actions.tsx';
import { useFilters } from '../../domain/filter-bar.tsx';
import { failuresOf, groupUploads, searchTexts, targetName, type Upload } from '../../domain/uploads/batch-words.ts';
import { UploadCard } from '../../domain/uploads/batches.tsx';
import {
  anyTime,
  boundsOf,
  isStartedIn,
  PeriodChoice,
  type UploadPeriod,
} from '../../domain/uploads/period-choice.tsx';
import { useSnapshot } from '../../state/store.tsx';
import { DialogButton } from '../../ui/dialogs.tsx';
import { Choice } from '../../ui/fields.tsx';
import { useNow } from '../../ui/hooks.ts';
import { lazily } from '../../ui/lazy.tsx';
import { Message } from '../../ui/message.tsx';
import { Empty, Page, StackList } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useMemoInWords } from '../../words/formats.ts';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({ more: { alignSelf: 'center' } });

/** The number of uploads that are shown at first, and that each press of the button below them adds. */
const PAGE = 50;

const everything: UploadFilter = { text: '', state: undefined, period: anyTime };

export const UploadsPage = () => {
  const styles = useStyles();
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const [filter, setFilter] = useState(everything);
  const [most, setMost] = useState(PAGE);
  const uploads = useMemoInWords(() => groupUploads(batches), [batches]);
  const textOf = useMemoInWords(() => searchTexts(namesIn), []);
  const change = (changed: Partial<UploadFilter>): void => {
    setFilter({ ...filter, ...changed });
    setMost(PAGE);
  };
  const inUse = [filter.state, filter.period.name].filter((value) => value !== undefined).length;
  const now = new Date(useNow(60_000));
  const filters = useFilters(inUse, () => change({ state: undefined, period: anyTime }));
  const watched = <OpenButton place={{ name: 'watched-folders' }}>{t('watched.title')}</OpenButton>;
  if (uploads.length === 0)
    return (
      <Page title={t('uploads.title')} actions={watched}>
        <WaitingDraft />
        <Empty title={t('uploads.empty')} hint={t('uploads.emptyHint')} action={<NewUploadButton />} />
      </Page>
    );
  const found = uploads.filter(isShownBy(filter, now, textOf));
  return (
    <Page
      title={t('uploads.title')}
      actions={
        <>
          {uploads.length > 1 && (
            <>
              {filters.button}
              <SearchField label={t('uploads.find.search')} value={filter.text} onChange={(text) => change({ text })} />
            </>
          )}
          <DialogButton icon={<DocumentCheckmark20Regular />} dialog={(onClose) => <ReportDialog onClose={onClose} />}>
            {t('uploads.report.open')}
          </DialogButton>
          {watched}
          <NewUploadButton />
        </>
      }
    >
      <WaitingDraft />
      {filters.barOf(
        <>
          <Choice
            label={t('uploads.files.state')}
            all={t('common.allStates')}
            values={uploadStates}
            nameOf={(state) => t(`uploads.state.${stateKeys[state]}`)}
            value={filter.state}
            onChange={(state) => change({ state })}
          />
          <PeriodChoice value={filter.period} onChange={(period) => change({ period })} />
        </>,
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
    </Page>
  );
};

const ReportDialog = lazily(async () => (await import('./report-dialog.tsx')).ReportDialog);

const WaitingDraft = () => {
  const draft = useSnapshot((snapshot) => snapshot.draft);
  if (draft === undefined) return null;
  const { undecided } = draft.counts;
  return (
    <Message
      intent="info"
      title={t('newUpload.waiting.title')}
      action={
        <OpenButton size="small" place={{ name: 'new-upload' }}>
          {t('newUpload.waiting.open')}
        </OpenButton>
      }
    >
      {undecided > 0 ? `${t('newUpload.start.undecided', { count: undecided })}.` : draft.names.join(', ')}
    </Message>
  );
};

const stateKeys = {
  active: 'running',
  paused: 'paused',
  finished: 'finished',
  failures: 'finishedWithFailures',
  cancelled: 'cancelled',
} as const;

type UploadState = keyof typeof stateKeys;
const uploadStates = Object.keys(stateKeys) as readonly UploadState[];

type UploadFilter = {
  readonly text: string;
  readonly state: UploadState | undefined;
  readonly period: UploadPeriod;
};

/** Returns the names by which an upload of the batch is found. */
export const namesIn = (batch: Batch): string => `${batchName(batch)}\n${targetName(batch)}`;

/** Returns a function that tells whether an upload matches the filter. `textOf`: the `searchTexts` of `namesIn`. */
export const isShownBy = ({ text, state, period }: UploadFilter, now: Date, textOf: (batch: Batch) => string) => {
  const bounds = boundsOf(period, now);
  const words = plainWords(text);
  return ({ batches, whole }: Upload): boolean => {
    if (state !== undefined && stateOf(whole) !== state) return false;
    if (!isStartedIn(whole, bounds)) return false;
    if (words.length === 0) return true;
    const ofAll = batches.length === 1 ? '' : searchable(batchName(whole));
    return batches.some((batch) => hasBeginnings(ofAll + textOf(batch), words));
  };
};

const stateOf = (whole: Upload['whole']): UploadState => {
  if (isActive(whole)) return 'active';
  if (whole.state === 'paused' || whole.state === 'cancelled') return whole.state;
  return failuresOf(whole) > 0 ? 'failures' : 'finished';
};
