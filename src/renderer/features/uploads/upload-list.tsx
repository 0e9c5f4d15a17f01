import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { targetName } from '../../domain/uploads/batch-words.ts';
import { UploadCard } from '../../domain/uploads/upload-card.tsx';
import { groupUploads } from '../../domain/uploads/whole-upload.ts';
import { useApp, useSnapshot } from '../../state/context.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Empty } from '../../ui/empty.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { StackList } from '../../ui/stack-list.tsx';
import { useMemoInWords } from '../../words/revision.ts';
import { t } from '../../words/words.ts';
import { isShown, type UploadFilter, uploadPeriods, uploadStates } from './upload-filter.ts';

const useStyles = makeStyles({
  filter: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
  more: { alignSelf: 'center' },
});

/** Uploads shown at first, and added with each press of the button below them. */
const PAGE = 50;

const everything: UploadFilter = { text: '', state: undefined, period: undefined };

/** All uploads from this computer, with a search and filters if there are several. */
export const UploadList = () => {
  const styles = useStyles();
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
