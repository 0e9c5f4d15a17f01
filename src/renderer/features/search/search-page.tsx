import { makeStyles, Tab, TabList, tokens } from '@fluentui/react-components';
import { useMemo, useState } from 'react';
import { LONGEST_SEARCH } from '../../../contract/search.ts';
import type { Batch } from '../../../contract/uploads.ts';
import { assignmentColumns } from '../../domain/assignments/assignments.tsx';
import { Failure } from '../../domain/errors.tsx';
import { protocolColumns } from '../../domain/protocols.tsx';
import { folderName } from '../../domain/uploads/batch-words.ts';
import { useFound, useFoundAssignments, useFoundProtocols, useServiceSearch } from '../../queries/search.ts';
import type { WindowState } from '../../queries/use-window-query.ts';
import { useApp, useSnapshot } from '../../state/context.tsx';
import { assignmentPlace } from '../../state/places.ts';
import type { Column } from '../../ui/data-table/columns.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { useLatest } from '../../ui/hooks.ts';
import { Empty, Loading, Page, PageFill } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { formatMoment } from '../../words/dates.ts';
import { t } from '../../words/words.ts';
import { findBatches, foundIn, SearchScope } from './search-result.tsx';

const useStyles = makeStyles({
  tabs: { flexWrap: 'wrap', margin: `0 calc(-1 * ${tokens.spacingHorizontalM})`, flexShrink: 0 },
});

const kinds = ['protocols', 'assignments', 'uploads'] as const;
type Kind = (typeof kinds)[number];

/** Everything found for a text, by kind; the service is asked for protocols. */
export const SearchPage = ({ text: asked }: { readonly text: string }) => {
  const styles = useStyles();
  const open = useApp((state) => state.open);
  const [typed, setTyped] = useState(asked);
  const [chosen, choose] = useState<Kind>();
  const text = typed.trim().slice(0, LONGEST_SEARCH);
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const uploads = useMemo(() => (text === '' ? [] : findBatches(batches, text)), [batches, text]);
  const { value } = useFound(text, 1);
  const service = useServiceSearch(text, value);
  const totals: Readonly<Record<Kind, number>> = {
    protocols: value?.protocolTotal ?? 0,
    assignments: value?.assignmentTotal ?? 0,
    uploads: uploads.length,
  };
  const kind = chosen ?? kinds.find((one) => totals[one] > 0) ?? 'protocols';
  const count = totals.protocols + totals.assignments + totals.uploads;
  return (
    <Page
      title={t('search.page.title')}
      subtitle={<span role="status">{value && text !== '' && t('search.page.found', { count, text })}</span>}
      actions={
        <SearchField
          label={t('search.label')}
          placeholder={t('search.everywhere')}
          value={typed}
          onChange={(_, data) => setTyped(data.value)}
        />
      }
    >
      <PageFill>
        {text !== '' && <SearchScope service={service} onShowMore={() => open({ name: 'protocols', text })} />}
        <TabList
          className={styles.tabs}
          aria-label={t('search.page.kinds')}
          selectedValue={kind}
          onTabSelect={(_, data) => choose(kinds.find((one) => one === data.value))}
        >
          {kinds.map((one) => (
            <Tab key={one} value={one}>
              {t('search.page.kind', { name: t(`search.${one}`), count: totals[one] })}
            </Tab>
          ))}
        </TabList>
        {kind === 'protocols' && <FoundProtocols text={text} />}
        {kind === 'assignments' && <FoundAssignments text={text} />}
        {kind === 'uploads' && <FoundUploads text={text} uploads={uploads} />}
      </PageFill>
    </Page>
  );
};

type Found = { readonly text: string };

const Nothing = ({ text }: Found) =>
  text === '' ? (
    <Empty title={t('search.hint')} />
  ) : (
    <Empty title={t('search.nothing', { text })} hint={t('search.nothingHint')} />
  );

type FoundTableProps<Row> = Found & {
  readonly id: string;
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly found: WindowState<unknown, Row>;
  readonly rowKey: (row: Row) => string;
  readonly onOpen: (row: Row) => void;
};

const FoundTable = <Row extends object>({ text, id, label, columns, found, rowKey, onOpen }: FoundTableProps<Row>) => {
  const { held, rowAt, onRange, read, error, reload } = found;
  const open = useLatest(onOpen);
  if (error !== undefined) return <Failure error={error} onRetry={reload} />;
  if (held === undefined) return <Loading label={t('search.page.loading')} />;
  return (
    <DataTable
      id={id}
      label={label}
      columns={columns}
      count={held.total}
      rowAt={rowAt}
      rowKey={rowKey}
      read={read}
      onRange={onRange}
      question={held.question}
      searched={text}
      foundIn={foundIn}
      open={open}
      empty={held.total === 0 && <Nothing text={text} />}
    />
  );
};

/** The protocols found for `text`. */
const FoundProtocols = ({ text }: Found) => {
  const open = useApp((state) => state.open);
  return (
    <FoundTable
      text={text}
      id="found-protocols"
      label={t('search.protocols')}
      columns={protocolColumns}
      found={useFoundProtocols(text)}
      rowKey={({ InspectionProtocolId }) => InspectionProtocolId}
      onOpen={(protocol) => open({ name: 'protocol', protocol })}
    />
  );
};

/** The assignments found for `text`. */
const FoundAssignments = ({ text }: Found) => {
  const open = useApp((state) => state.open);
  return (
    <FoundTable
      text={text}
      id="found-assignments"
      label={t('search.assignments')}
      columns={assignmentColumns}
      found={useFoundAssignments(text)}
      rowKey={({ AssignmentId }) => AssignmentId}
      onOpen={(summary) => open(assignmentPlace(summary, 'projects'))}
    />
  );
};

const uploadColumns: readonly Column<Batch>[] = [
  { id: 'Folder', header: () => t('search.page.folder'), cell: ({ root }) => folderName(root) },
  {
    id: 'Assignment',
    header: () => t('search.page.assignment'),
    width: '44%',
    cell: ({ title, AssignmentId }) => title ?? AssignmentId,
  },
  {
    id: 'Started',
    header: () => t('search.page.started'),
    width: '188px',
    cell: ({ createdAtMs }) => formatMoment(createdAtMs),
  },
];

/** The `uploads` found for `text`. */
const FoundUploads = ({ text, uploads }: Found & { readonly uploads: readonly Batch[] }) => {
  const open = useApp((state) => state.open);
  return (
    <DataTable
      id="found-uploads"
      label={t('search.uploads')}
      columns={uploadColumns}
      count={uploads.length}
      rowAt={(index) => uploads[index]}
      rowKey={({ batchId }) => batchId}
      question={text}
      searched={text}
      foundIn={foundIn}
      open={({ batchId }) => open({ name: 'batch', batch: batchId })}
      empty={<Nothing text={text} />}
    />
  );
};
