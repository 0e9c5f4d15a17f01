/** The results of a search by kind, each a table of any length. */
import type { Batch } from '../../../contract/uploads.ts';
import { assignmentColumns } from '../../domain/assignments/assignment-columns.tsx';
import { Failure } from '../../domain/errors/failure.tsx';
import { protocolColumns } from '../../domain/protocols/protocol-columns.tsx';
import { folderName } from '../../domain/uploads/batch-words.ts';
import { useFoundAssignments, useFoundProtocols } from '../../queries/search.ts';
import type { WindowState } from '../../queries/use-window-query.ts';
import { useApp } from '../../state/context.tsx';
import { assignmentPlace } from '../../state/places.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { useLatest } from '../../ui/data-table/use-latest.ts';
import { Empty } from '../../ui/empty.tsx';
import { Loading } from '../../ui/loading.tsx';
import { formatMoment } from '../../words/dates.ts';
import { t } from '../../words/words.ts';
import { foundIn } from './search-result.ts';

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
export const FoundProtocols = ({ text }: Found) => {
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
export const FoundAssignments = ({ text }: Found) => {
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
export const FoundUploads = ({ text, uploads }: Found & { readonly uploads: readonly Batch[] }) => {
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
