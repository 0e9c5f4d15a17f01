import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { useCallback, useRef, useState } from 'react';
import type { FileQuery, FoundFile, FoundFiles } from '../../../contract/files.ts';
import type { ListedState } from '../../../contract/uploads.ts';
import { NewUploadButton, OpenButton } from '../../domain/actions.tsx';
import { DayFields } from '../../domain/date-field.tsx';
import { useFilters } from '../../domain/filter-bar.tsx';
import {
  fileInFolder,
  fileSize,
  fileState,
  foundFilePlace,
  foundFileTarget,
  foundStateName,
  useFileMenu,
} from '../../domain/uploads/files.tsx';
import { SentBeforeList, useSentBefore } from '../../domain/uploads/sent-before.tsx';
import { useWindowQuery } from '../../queries/query.tsx';
import { type PlaceProps, useApp } from '../../state/store.tsx';
import { type Column, TwoLines, timeCells } from '../../ui/data-table/columns.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { Choice } from '../../ui/fields.tsx';
import { useDropZone } from '../../ui/hooks.ts';
import { Message } from '../../ui/message.tsx';
import { Empty, Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { formatCount } from '../../words/amounts.ts';
import { type Days, dayBounds } from '../../words/dates.ts';
import { useMemoInWords } from '../../words/formats.ts';
import { fileErrorText, t } from '../../words/words.ts';

const useStyles = makeStyles({
  drop: {
    flexShrink: 0,
    padding: tokens.spacingHorizontalL,
    border: `2px dashed ${tokens.colorCompoundBrandStroke}`,
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorBrandBackground2,
  },
});

/**
 * Returns a key that identifies a file. Files that the service reported have neither a batch nor a file id, so the key
 * includes path and time.
 */
const fileKey = ({ batchId = '', fileId = 0, AssignmentId, path, addedAtMs }: FoundFile): string =>
  [batchId, fileId, AssignmentId, path, addedAtMs].join('\n');

/**
 * The page of the files of all uploads from this computer, and of the files that the service reported. With
 * `assignment`, it has only the files of that assignment. With `failedOf`, it has only the files of that upload, and
 * shows only the failed ones when it opens. If the user drops files, it says whether they were uploaded before.
 */
export const FilesPage = ({ text: initial = '', assignment, failedOf }: PlaceProps<'files'>) => {
  const styles = useStyles();
  const open = useApp((state) => state.open);
  const [typed, setTyped] = useState(initial);
  const [narrowed, setNarrowed] = useState<Narrowed>(failedOf ? { ...noFilter, state: 'failed' } : noFilter);
  const text = typed.trim();
  const only = assignment ?? failedOf;
  const inUse = Object.values(narrowed).filter(Boolean).length;
  const filters = useFilters(inUse, () => setNarrowed(noFilter));
  const query: Partial<FileQuery> = {
    text,
    ...(narrowed.state ? { states: stateFilters[narrowed.state] } : { withoutSkipped: true }),
    ...dayBounds(narrowed),
    ...(assignment && { AssignmentId: assignment.AssignmentId }),
    ...(failedOf && { uploadId: failedOf.uploadId }),
  };
  const found = useWindowQuery(
    'files',
    ({ files }, window) => files.find({ ...query, ...window }),
    ({ indexing }) => indexing !== undefined && indexingPauseMs,
  );
  const { result } = found;
  const page = useRef<HTMLSpanElement>(null);
  const sent = useSentBefore();
  const over = useDropZone(page, sent.lookUp);
  const openFile = useCallback((file: FoundFile) => open(foundFilePlace(file)), [open]);
  const menu = useFileMenu(({ batchId, fileId }: FoundFile) =>
    batchId === undefined ? undefined : { batchId, fileId },
  );
  const isAll = only === undefined && text === '' && inUse === 0;
  const empty = useMemoInWords(
    () =>
      isAll ? (
        <Empty title={t('files.empty')} hint={t('files.emptyHint')} action={<NewUploadButton />} />
      ) : (
        <Empty title={t('files.nothing')} hint={t('files.nothingHint')} />
      ),
    [isAll],
  );
  return (
    <Page
      title={only ? t('files.only', { name: only.title }) : t('common.files')}
      layout="fill"
      subtitle={
        <span ref={page} role="status">
          {result && countText(result)}
        </span>
      }
      actions={
        <>
          {only && (
            <OpenButton appearance="subtle" place={{ name: 'files' }}>
              {t('files.everyFile')}
            </OpenButton>
          )}
          {filters.button}
          <SearchField label={t('files.search')} value={typed} onChange={setTyped} />
        </>
      }
    >
      {filters.barOf(
        <>
          <Choice
            label={t('uploads.files.state')}
            all={t('common.allStates')}
            nameOf={foundStateName}
            values={stateNames}
            value={narrowed.state}
            onChange={(state) => setNarrowed({ ...narrowed, state })}
          />
          <DayFields
            nameOf={(bound) => t(`files.${bound}`)}
            days={narrowed}
            onChange={(change) => setNarrowed((before) => ({ ...before, ...change }))}
          />
        </>,
      )}
      {over && (
        <Text className={styles.drop} weight="semibold">
          {t('files.dropHere')}
        </Text>
      )}
      <SentBeforeList {...sent} onOpen={open} />
      {result?.indexing && <Message intent="info">{indexingText(result.indexing)}</Message>}
      <DataTable
        rows={found}
        loading={t('files.loading')}
        id="files"
        label={t('common.files')}
        columns={narrowed.state === 'failed' ? failedColumns : fileColumns}
        rowKey={fileKey}
        hasTwoLines
        open={openFile}
        menu={menu}
        empty={empty}
      />
    </Page>
  );
};

/** The pause before a search is repeated while files are being added to the index. */
const indexingPauseMs = 1_000;

const countText = ({ total, isMore }: FoundFiles): string => t(isMore ? 'files.more' : 'count.file', { count: total });

const indexingText = ({ files, total }: NonNullable<FoundFiles['indexing']>): string =>
  t('files.indexing', { done: formatCount(files), count: total });

const fileColumns: readonly Column<FoundFile>[] = [
  fileInFolder('name'),
  { id: 'Assignment', header: 'common.assignment', width: '23%', cell: foundFileTarget },
  { ...fileSize, minor: true },
  {
    id: 'Added',
    header: 'assignment.files.since',
    width: '188px',
    ...timeCells(({ addedAtMs }) => addedAtMs, 'moment'),
  },
  fileState(false),
];

/** A column for the problem replaces those for the time and the state, which say nothing new about failed files. */
const failedColumns: readonly Column<FoundFile>[] = [
  ...fileColumns.slice(0, -2),
  {
    id: 'Problem',
    header: 'uploads.files.problem',
    width: '34%',
    cell: ({ error }) => {
      if (error === undefined) return null;
      const { title, todo } = fileErrorText({ code: error, details: {} });
      return <TwoLines first={title} second={todo} title={`${title}\n${todo}`} />;
    },
    text: ({ error }) => (error === undefined ? '' : fileErrorText({ code: error, details: {} }).title),
  },
];

/** The states that the user can filter by, each with the ledger's states that it includes. */
const stateFilters = {
  done: ['done'],
  skipped: ['skipped'],
  queued: ['queued', 'signing', 'sending'],
  failed: ['failed', 'uncertain'],
  cancelled: ['cancelled'],
  removed: ['removed'],
} as const satisfies Readonly<Partial<Record<ListedState, readonly ListedState[]>>>;

type StateFilter = keyof typeof stateFilters;

const stateNames = Object.keys(stateFilters) as readonly StateFilter[];

type Narrowed = Days & { readonly state: StateFilter | undefined };

const noFilter: Narrowed = { state: undefined, fromDay: '', toDay: '' };
