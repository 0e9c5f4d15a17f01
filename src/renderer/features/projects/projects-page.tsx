import { Combobox, makeStyles, Option, Text } from '@fluentui/react-components';
import { useMemo, useState } from 'react';
import { type AssignmentList, type AssignmentSummary, customerName } from '../../../contract/resources.ts';
import { assignmentColumns, statusName } from '../../domain/assignments/assignments.tsx';
import { ReadingView, RefreshButton } from '../../domain/readings.tsx';
import { addressOf } from '../../domain/texts.tsx';
import { useCounties, useProjects } from '../../queries/answers.ts';
import { useApp } from '../../state/context.tsx';
import { assignmentPlace, type PlaceProps } from '../../state/places.ts';
import { type Sort, useSort } from '../../ui/data-table/columns.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { Choice } from '../../ui/fields.tsx';
import { useDebounced } from '../../ui/hooks.ts';
import { Empty, Page, PageFill } from '../../ui/page.tsx';
import { formats } from '../../words/formats.ts';
import { t } from '../../words/words.ts';

const values: Readonly<Record<string, (row: AssignmentSummary) => SortValue>> = {
  Address: addressOf,
  City: (row) => row.City,
  Customer: customerName,
  Performer: (row) => row.Performer,
  StartTime: (row) => row.StartTime,
  AssignmentStatus: (row) => row.AssignmentStatus,
};

/** The `rows` with `status`, or all. */
const withStatus = (rows: readonly AssignmentSummary[], status: string | undefined): readonly AssignmentSummary[] =>
  status === undefined ? rows : rows.filter((row) => row.AssignmentStatus === status);

/** How many `rows` have `status`, such as "22 of 60 assignments"; without a status, such as "60 assignments". */
export const countText = (rows: readonly AssignmentSummary[], status: string | undefined): string =>
  status === undefined
    ? t('count.assignment', { count: rows.length })
    : t('protocols.projects.shown', { shown: withStatus(rows, status).length, count: rows.length });

/** The `rows` with `status`, or all, in the order of `sort` or that of the service. */
export const viewProjects = (
  rows: readonly AssignmentSummary[],
  status: string | undefined,
  sort: Sort | undefined,
): readonly AssignmentSummary[] => {
  const chosen = withStatus(rows, status);
  const valueIn = sort && values[sort.by];
  return valueIn === undefined ? chosen : sortRows(chosen, valueIn, sort?.descending === true);
};

/** The distinct statuses of `rows`, sorted. */
export const statusesOf = (rows: readonly AssignmentSummary[]): readonly string[] =>
  [...new Set(rows.map((row) => row.AssignmentStatus))].sort();

type SortValue = string | number;

const compare = (a: SortValue, b: SortValue): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : formats().collator.compare(String(a), String(b));

/** `rows` in the order of `valueIn`; rows without a value come last in either order. */
export const sortRows = <Row,>(
  rows: readonly Row[],
  valueIn: (row: Row) => SortValue,
  descending: boolean,
): readonly Row[] => {
  const keyed = rows.map((row) => ({ row, value: valueIn(row) }));
  const sign = descending ? -1 : 1;
  return keyed
    .sort((a, b) => Number(a.value === '') - Number(b.value === '') || sign * compare(a.value, b.value))
    .map(({ row }) => row);
};

const typingPauseMs = 300;

/** The assignments for projects, of all counties or of one. `initial`: the status of those that are shown at first. */
export const ProjectsPage = ({ status: initial }: PlaceProps<'projects'>) => {
  const [text, setText] = useState('');
  const [status, setStatus] = useState(initial);
  const county = useDebounced(text.trim(), typingPauseMs);
  const state = useProjects(county);
  const list = state.reading?.value;
  const { value: counties = [] } = useCounties();
  return (
    <Page
      title={t('protocols.projects.title')}
      subtitle={<span role="status">{list && countText(list.Items, status)}</span>}
      actions={
        <>
          <Choice
            label={t('assignment.status')}
            all={t('assignment.everyStatus')}
            nameOf={statusName}
            values={statusesOf(list?.Items ?? [])}
            value={status}
            onChange={setStatus}
          />
          <CountyChoice counties={counties} value={text} onChange={setText} />
          <RefreshButton busy={state.busy} onClick={state.reload} />
        </>
      }
    >
      <PageFill>
        <ReadingView state={state} loading={t('assignment.loading')}>
          {(value, { unreadable }) => (
            <ProjectTable list={value} unreadable={unreadable} county={county} status={status} busy={state.busy} />
          )}
        </ReadingView>
      </PageFill>
    </Page>
  );
};

const useCountyChoiceStyles = makeStyles({ county: { width: '200px', minWidth: 0, '& input': { minWidth: 0 } } });

type CountyChoiceProps = {
  /** The counties of the assignments read so far. */
  readonly counties: readonly string[];
  readonly value: string;
  readonly onChange: (county: string) => void;
};

/** A choice of county: a known one, or any name that is typed. */
const CountyChoice = ({ counties, value, onChange }: CountyChoiceProps) => {
  const typed = value.trim().toLocaleLowerCase();
  const fitting = counties.filter((county) => county.toLocaleLowerCase().startsWith(typed));
  // After a choice the others are still offered.
  const offered = counties.some((county) => county === value) ? counties : fitting;
  return (
    <Combobox
      className={useCountyChoiceStyles().county}
      data-find
      freeform
      clearable
      aria-label={t('protocols.projects.county')}
      placeholder={t('protocols.projects.county')}
      value={value}
      selectedOptions={counties.includes(value) ? [value] : []}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
      onOptionSelect={(_, { optionText }) => onChange(optionText ?? '')}
    >
      {offered.map((county) => (
        <Option key={county}>{county}</Option>
      ))}
      {offered.length === 0 && (
        <Option disabled text="">
          {t('protocols.projects.otherCounty')}
        </Option>
      )}
    </Combobox>
  );
};

type ProjectTableProps = {
  readonly list: AssignmentList;
  readonly unreadable: number;
  readonly county: string;
  readonly status: string | undefined;
  readonly busy: boolean;
};

/** The table of assignments for projects. */
const ProjectTable = ({ list, unreadable, county, status, busy }: ProjectTableProps) => {
  const open = useApp((state) => state.open);
  const [sort, setSort] = useSort('projects');
  const { Items, TotalCount } = list;
  const rows = useMemo(() => viewProjects(Items, status, sort), [Items, status, sort]);
  if (Items.length + unreadable === 0) {
    const title = county === '' ? t('protocols.projects.empty') : t('protocols.projects.noMatch', { county });
    return <Empty title={title} />;
  }
  if (rows.length + unreadable === 0) return <Empty title={t('protocols.projects.noStatus')} />;
  return (
    <>
      <DataTable
        id="projects"
        label={t('protocols.projects.table')}
        columns={assignmentColumns}
        count={rows.length}
        rowAt={(index) => rows[index]}
        rowKey={({ AssignmentId }) => AssignmentId}
        unreadable={unreadable}
        busy={busy}
        sort={sort}
        onSort={setSort}
        open={(summary) => open(assignmentPlace(summary, 'projects'))}
      />
      {TotalCount > Items.length + unreadable && (
        <Text>
          {t(sort === undefined ? 'protocols.projects.more' : 'protocols.projects.moreSorted', {
            count: TotalCount,
          })}
        </Text>
      )}
    </>
  );
};
