import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { type MouseEvent, useCallback, useRef, useState } from 'react';
import type { FileQuery, FoundFile, FoundFiles } from '../../../contract/files.ts';
import { LONGEST_SEARCH } from '../../../contract/search.ts';
import type { ListedState } from '../../../contract/uploads.ts';
import { DateField } from '../../domain/date-field.tsx';
import { Failure } from '../../domain/errors.tsx';
import {
  FileStateText,
  foundFilePlace,
  foundFileTarget,
  foundStateName,
  useFileMenu,
} from '../../domain/uploads/files.tsx';
import { SentBeforeList, useSentBefore } from '../../domain/uploads/sent-before.tsx';
import { useFoundFiles } from '../../queries/answers.ts';
import { useApp } from '../../state/context.tsx';
import { TwoLines } from '../../ui/data-table/cells.tsx';
import type { Column } from '../../ui/data-table/columns.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { Choice } from '../../ui/fields.tsx';
import { useDropZone } from '../../ui/hooks.ts';
import { Message } from '../../ui/message.tsx';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { Empty, Loading, Page, PageFill } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { formatBytes, formatCount } from '../../words/amounts.ts';
import { formatMoment } from '../../words/dates.ts';
import { useMemoInWords } from '../../words/formats.ts';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  filters: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'end',
    flexShrink: 0,
    gap: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}`,
  },
  drop: {
    flexShrink: 0,
    padding: tokens.spacingHorizontalL,
    border: `2px dashed ${tokens.colorCompoundBrandStroke}`,
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorBrandBackground2,
  },
});

type FilesPageProps = {
  /** Searched for at first. */
  readonly text?: string | undefined;
  /** Only files of this assignment. */
  readonly assignment?: { readonly AssignmentId: string; readonly title: string } | undefined;
};

/** Files that the service reported have no number of their own. */
const fileKey = ({ batchId = '', fileId = 0, AssignmentId, path, addedAtMs }: FoundFile): string =>
  [batchId, fileId, AssignmentId, path, addedAtMs].join('\n');

/** Every file that was uploaded from this computer or reported by the service: searched, filtered, or asked for by dropping it. */
export const FilesPage = ({ text: asked = '', assignment }: FilesPageProps) => {
  const styles = useStyles();
  const open = useApp((state) => state.open);
  const [typed, setTyped] = useState(asked);
  const [state, setState] = useState<keyof typeof stateFilters>();
  const [days, setDays] = useState({ fromDay: '', toDay: '' });
  const text = typed.trim().slice(0, LONGEST_SEARCH);
  const filter = { text, state, ...days, AssignmentId: assignment?.AssignmentId };
  const { held, rowAt, onRange, read, error, reload } = useFoundFiles(toQuery(filter));
  const page = useRef<HTMLDivElement>(null);
  const sent = useSentBefore();
  const over = useDropZone(page, sent.take);
  const openFile = useCallback((file: FoundFile) => open(foundFilePlace(file)), [open]);
  const menu = useFileMenu();
  const openMenu = useCallback(
    ({ batchId, fileId }: FoundFile, event: MouseEvent) => batchId && menu?.({ batchId, fileId }, event),
    [menu],
  );
  const isAll = !isFiltered(filter);
  const empty = useMemoInWords(
    () =>
      isAll ? (
        <Empty
          title={t('files.empty')}
          hint={t('files.emptyHint')}
          action={<Button onClick={() => open({ name: 'new-upload' })}>{t('newUpload.title')}</Button>}
        />
      ) : (
        <Empty title={t('files.nothing')} hint={t('files.nothingHint')} />
      ),
    [isAll, open],
  );
  return (
    <Page
      title={assignment ? t('files.only', { name: assignment.title }) : t('files.title')}
      subtitle={<span role="status">{held && countText(held.answer)}</span>}
      actions={<SearchField label={t('files.search')} value={typed} onChange={(_, data) => setTyped(data.value)} />}
    >
      <PageFill>
        <search ref={page} className={styles.filters}>
          <Choice
            label={t('uploads.files.state')}
            all={t('files.everyState')}
            nameOf={(value) => (isStateFilter(value) ? foundStateName(value) : value)}
            values={Object.keys(stateFilters)}
            value={state}
            onChange={(value) => setState(isStateFilter(value) ? value : undefined)}
          />
          {(['fromDay', 'toDay'] as const).map((bound) => (
            <DateField
              key={bound}
              label={t(`files.${bound}`)}
              value={days[bound]}
              onChange={(value) => setDays((before) => ({ ...before, [bound]: value }))}
            />
          ))}
          {assignment && <Button onClick={() => open({ name: 'files' })}>{t('files.title')}</Button>}
        </search>
        {over && (
          <Text className={styles.drop} weight="semibold">
            {t('files.dropHere')}
          </Text>
        )}
        <SentBeforeList {...sent} onOpen={open} />
        {held?.answer.indexing && <Message intent="info">{indexingText(held.answer.indexing)}</Message>}
        {error !== undefined && <Failure error={error} onRetry={reload} />}
        {error === undefined && held === undefined && <Loading label={t('files.loading')} />}
        {error === undefined && held !== undefined && (
          <DataTable
            id="files"
            label={t('files.title')}
            columns={fileColumns}
            count={held.total}
            rowAt={rowAt}
            rowKey={fileKey}
            read={read}
            onRange={onRange}
            question={held.question}
            rowHeight={52}
            open={openFile}
            menu={menu && openMenu}
            empty={held.total === 0 && empty}
          />
        )}
      </PageFill>
    </Page>
  );
};

const countText = ({ total, isMore }: FoundFiles): string => t(isMore ? 'files.more' : 'count.file', { count: total });

const indexingText = ({ files, total }: NonNullable<FoundFiles['indexing']>): string =>
  t('files.indexing', { done: formatCount(files), count: total });

/** Where the file is and where it came from: files of one name are told apart by folder, size and time. */
export const fileColumns: readonly Column<FoundFile>[] = [
  {
    id: 'File',
    header: () => t('assignment.files.file'),
    cell: ({ FileName, folder }) => (
      <TwoLines
        first={<MiddleCut name={FileName} />}
        second={folder === undefined ? '' : <MiddleCut name={folder} />}
        look="name"
      />
    ),
    text: ({ FileName, folder }) => [folder, FileName].filter(Boolean).join('/'),
  },
  { id: 'Assignment', header: () => t('files.assignment'), width: '23%', cell: foundFileTarget },
  {
    id: 'Size',
    header: () => t('assignment.files.size'),
    width: '88px',
    align: 'end',
    minor: true,
    cell: ({ sizeBytes }) => sizeBytes !== undefined && formatBytes(sizeBytes),
  },
  {
    id: 'Added',
    header: () => t('assignment.files.since'),
    width: '188px',
    cell: (file) => formatMoment(file.addedAtMs),
  },
  {
    id: 'State',
    header: () => t('uploads.files.state'),
    width: '152px',
    cell: ({ state }) => <FileStateText state={state} goesOn />,
    text: ({ state }) => foundStateName(state),
  },
];

/** Such as people tell them apart; each is named by its first state. */
const stateFilters = {
  done: ['done'],
  skipped: ['skipped'],
  queued: ['queued', 'signing', 'sending'],
  failed: ['failed', 'uncertain'],
  cancelled: ['cancelled'],
  removed: ['removed'],
} as const satisfies Readonly<Partial<Record<ListedState, readonly ListedState[]>>>;

type StateFilter = keyof typeof stateFilters;

const isStateFilter = (value: string | undefined): value is StateFilter =>
  value !== undefined && Object.hasOwn(stateFilters, value);

type FileFilter = {
  readonly text: string;
  readonly state: StateFilter | undefined;
  /** Days as date inputs hold them; empty without a limit. */
  readonly fromDay: string;
  readonly toDay: string;
  readonly AssignmentId: string | undefined;
};

/** The start of a local day, or of the day after it. */
const dayStart = (day: string, later = 0): number | undefined => {
  if (day === '') return undefined;
  const [year = Number.NaN, month = 1, date = 1] = day.split('-').map(Number);
  const start = new Date(year, month - 1, date + later).getTime();
  return Number.isNaN(start) ? undefined : start;
};

/** What main is asked for. */
const toQuery = ({ text, state, fromDay, toDay, AssignmentId }: FileFilter): Partial<FileQuery> => {
  const fromMs = dayStart(fromDay);
  const beforeMs = dayStart(toDay, 1);
  return {
    text,
    ...(state && { states: stateFilters[state] }),
    ...(fromMs !== undefined && { fromMs }),
    ...(beforeMs !== undefined && { beforeMs }),
    ...(AssignmentId !== undefined && { AssignmentId }),
  };
};

/** Whether it asks for less than every file. */
export const isFiltered = (filter: FileFilter): boolean =>
  Object.values(filter).some((value) => value !== '' && value !== undefined);
