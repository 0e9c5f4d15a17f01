import { useMemo, useState } from 'react';
import type { Batch } from '../../../contract/uploads.ts';
import { assignmentColumns } from '../../domain/assignments/assignments.tsx';
import { protocolColumns } from '../../domain/protocols.tsx';
import { batchFolder, batchStarted } from '../../domain/uploads/batches.tsx';
import { useCallQuery, useCalls, useWindowQuery } from '../../queries/query.tsx';
import { assignmentPlace, type Place, type PlaceProps, useApp, useSnapshot } from '../../state/store.tsx';
import type { Column } from '../../ui/data-table/columns.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { listed } from '../../ui/data-table/use-selection.ts';
import { Empty, Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { t } from '../../words/words.ts';
import { findBatches, foundIn, SearchScope, useServiceSearch } from './search-results.tsx';

const kinds = ['protocols', 'assignments', 'uploads'] as const;
type Kind = (typeof kinds)[number];

/**
 * The page of all protocols, assignments and uploads found for a text, by kind. The service is searched for protocols,
 * too.
 */
export const SearchPage = ({ text: initial }: PlaceProps<'search'>) => {
  const open = useApp((state) => state.open);
  const [typed, setTyped] = useState(initial);
  const [chosen, choose] = useState<Kind>();
  const text = typed.trim();
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const uploads = useMemo(() => listed(text === '' ? [] : findBatches(batches, text), text), [batches, text]);
  const { value, isCurrent } = useCallQuery(useCalls().search.find({ text, limit: 1 }));
  const service = useServiceSearch(text, value);
  const totals: Readonly<Record<Kind, number>> = {
    protocols: value?.protocolTotal ?? 0,
    assignments: value?.assignmentTotal ?? 0,
    uploads: uploads.count,
  };
  const kind = chosen ?? kinds.find((one) => totals[one] > 0) ?? 'protocols';
  const count = totals.protocols + totals.assignments + totals.uploads;
  return (
    <Page
      title={t('search.page.title')}
      layout="fill"
      count={value && isCurrent && text !== '' ? t('search.page.found', { count, text }) : ''}
      actions={
        <SearchField label={t('search.label')} placeholder={t('search.everywhere')} value={typed} onChange={setTyped} />
      }
    >
      {text !== '' && <SearchScope service={service} onShowMore={() => open({ name: 'protocols', text })} />}
      <Tabs
        label={t('search.page.kinds')}
        values={kinds}
        nameOf={(one) => t('common.counted', { name: t(`search.${one}`), count: totals[one] })}
        value={kind}
        onChange={choose}
      />
      {kind === 'protocols' && <FoundProtocols text={text} open={open} />}
      {kind === 'assignments' && <FoundAssignments text={text} open={open} />}
      {kind === 'uploads' && (
        <DataTable
          {...common(text)}
          id="found-uploads"
          label={t('search.uploads')}
          columns={uploadColumns}
          rows={uploads}
          rowKey={({ batchId }) => batchId}
          open={({ batchId }) => open({ name: 'batch', batch: batchId })}
        />
      )}
    </Page>
  );
};

const common = (text: string) => ({
  searched: text,
  foundIn,
  empty:
    text === '' ? (
      <Empty title={t('search.hint')} />
    ) : (
      <Empty title={t('search.nothing', { text })} hint={t('search.nothingHint')} />
    ),
});

type FoundProps = { readonly text: string; readonly open: (place: Place) => void };

const FoundProtocols = ({ text, open }: FoundProps) => (
  <DataTable
    {...common(text)}
    rows={useWindowQuery('Items', ({ search }, window) => search.protocols({ text, ...window }))}
    loading={t('search.page.loading')}
    id="found-protocols"
    label={t('search.protocols')}
    columns={protocolColumns}
    rowKey={({ InspectionProtocolId }) => InspectionProtocolId}
    open={(protocol) => open({ name: 'protocol', protocol })}
  />
);

const FoundAssignments = ({ text, open }: FoundProps) => (
  <DataTable
    {...common(text)}
    rows={useWindowQuery('Items', ({ search }, window) => search.assignments({ text, ...window }))}
    loading={t('search.page.loading')}
    id="found-assignments"
    label={t('search.assignments')}
    columns={assignmentColumns}
    rowKey={({ AssignmentId }) => AssignmentId}
    open={(summary) => open(assignmentPlace(summary))}
  />
);

const uploadColumns: readonly Column<Batch>[] = [
  batchFolder,
  {
    id: 'Assignment',
    header: 'common.assignment',
    width: '44%',
    cell: ({ title, AssignmentId }) => title ?? AssignmentId,
  },
  batchStarted,
];
