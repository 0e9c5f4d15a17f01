import { Button, Checkbox, Combobox, makeStyles, Option, Text, Tooltip } from '@fluentui/react-components';
import { CalendarClock20Regular } from '@fluentui/react-icons';
import { pick } from 'es-toolkit';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { type AssignmentRow, WorkGroup } from '../../../contract/assignments.ts';
import { type AssignmentList, assignmentName, isClosed, type Reading } from '../../../contract/resources.ts';
import { OpenButton } from '../../domain/actions.tsx';
import {
  tableColumns,
  useAssignmentTable,
  usualFilter,
  type WorkFilter,
} from '../../domain/assignments/assignments.tsx';
import { WorkFilters } from '../../domain/assignments/work-filters.tsx';
import { Failure, FailureBar } from '../../domain/errors.tsx';
import { ReadingNotes, RefreshButton } from '../../domain/readings.tsx';
import { type Result, useCallQuery, useCalls, useProjects } from '../../queries/query.tsx';
import { assignmentPlace, type PlaceProps, useApp } from '../../state/store.tsx';
import { type Sort, useSort, useTableView } from '../../ui/data-table/columns.tsx';
import { DataTable, type TableHandle } from '../../ui/data-table/data-table.tsx';
import { useSelection } from '../../ui/data-table/use-selection.ts';
import { useDialog } from '../../ui/dialogs.tsx';
import { Choice } from '../../ui/fields.tsx';
import { useDebounced, useOnChange } from '../../ui/hooks.ts';
import { lazily } from '../../ui/lazy.tsx';
import { Empty, Line, Loading, Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { unseen } from '../../ui/styles.ts';
import { formatDay } from '../../words/dates.ts';
import { t } from '../../words/words.ts';

const ViewMenu = lazily(async () => (await import('./saved-views.tsx')).ViewMenu);
const PlanMany = lazily(async () => (await import('./plan-many.tsx')).PlanMany);

const typingPauseMs = 300;

const parts = ['open', ...WorkGroup.options] as const;

/** The page of the assignments that this computer knows. At first it shows those that match `given`. */
export const AssignmentsPage = ({ filter: given = usualFilter }: PlaceProps<'assignments'>) => {
  const [filter, setFilter] = useState<WorkFilter>(given);
  const [table, setTable] = useTableView('assignments');
  // A cleared day can be chosen again.
  const day = pick(filter.fromMs === undefined ? given : filter, ['fromMs', 'beforeMs']);
  const county = useDebounced(filter.County?.trim() ?? '', typingPauseMs);
  const state = useProjects(county);
  const { value: counties = [] } = useCallQuery(useCalls().assignments.counties());
  const change = (part: WorkFilter): void => setFilter((before) => ({ ...before, ...part }));
  const text = (filter.text ?? '').trim();
  const asked = { ...filter, text, County: county === '' ? undefined : county };
  const [sort, setSort] = useSort('assignments');
  const found = useAssignmentTable(asked, sort);
  return (
    <Page
      title={t('work.title')}
      layout="fill"
      subtitle={<span role="status">{found.result && countText(found.result)}</span>}
      actions={
        <>
          <ViewMenu
            filter={{ ...filter, text }}
            table={table}
            onShow={(shown, view) => {
              setFilter(shown);
              setTable(view);
            }}
          />
          <SearchField
            label={t('work.search')}
            value={filter.text ?? ''}
            onChange={(typed) => change({ text: typed })}
          />
          <RefreshButton busy={state.busy} onClick={state.reload} />
        </>
      }
    >
      <AssignmentTable
        filter={asked}
        found={found}
        sort={sort}
        onSort={setSort}
        projects={state}
        onClear={() => setFilter({})}
      >
        <WorkFilters
          filter={filter}
          // The choice of a closed status also clears the filter for open assignments and the filter by group, because
          // most groups contain only open assignments.
          onChange={(part) =>
            change({ ...part, ...(isClosed(part.AssignmentStatus ?? '') && { open: false, group: undefined }) })
          }
          before={
            <Choice
              label={t('work.group')}
              all={t('work.everything')}
              nameOf={(part) => t(`work.groups.${part}`)}
              values={parts}
              value={filter.group ?? (filter.open === true ? 'open' : undefined)}
              onChange={(part) =>
                change({
                  group: part === 'open' ? undefined : part,
                  open: part === 'open',
                  ...(part !== undefined && isClosed(filter.AssignmentStatus ?? '') && { AssignmentStatus: undefined }),
                })
              }
            />
          }
        >
          {day.fromMs !== undefined && (
            <Choice
              label={t('assignment.start')}
              all={t('uploads.find.allDates')}
              nameOf={(ms) => t('work.startsOn', { day: formatDay(Number(ms)) })}
              values={[String(day.fromMs)]}
              value={filter.fromMs === undefined ? undefined : String(filter.fromMs)}
              onChange={(ms) => change(ms === undefined ? { fromMs: ms, beforeMs: ms } : day)}
            />
          )}
          <Checkbox
            label={t('work.projects')}
            checked={filter.projects === true}
            onChange={(_, { checked }) => change({ projects: checked === true, County: undefined })}
          />
          {filter.projects === true && (
            <CountyChoice
              counties={counties}
              value={filter.County ?? ''}
              onChange={(County) => change({ County: County === '' ? undefined : County })}
            />
          )}
        </WorkFilters>
      </AssignmentTable>
    </Page>
  );
};

const countText = ({ total, known }: { readonly total: number; readonly known: number }): string =>
  total === known ? t('work.known', { count: total }) : t('work.shown', { shown: total, count: known });

type AssignmentTableProps = {
  readonly filter: WorkFilter;
  readonly found: ReturnType<typeof useAssignmentTable>;
  readonly sort: Sort | undefined;
  readonly onSort: (sort: Sort) => void;
  /** The assignments for projects, as read from the service. The table shows them once main has stored them. */
  readonly projects: Result<Reading<AssignmentList>>;
  readonly onClear: () => void;
  readonly children: ReactNode;
};

const useTableStyles = makeStyles({ selected: unseen });

const AssignmentTable = (props: AssignmentTableProps) => {
  const { filter, found, sort, onSort, projects, onClear, children } = props;
  const styles = useTableStyles();
  const { error, busy, value: reading, reload } = projects;
  const open = useApp((state) => state.open);
  const { count: total = 0, result } = found;
  const selection = useSelection<AssignmentRow, string>({
    rows: found,
    idOf: ({ AssignmentId }) => AssignmentId,
    rowLabel: (row) => t('work.select', { name: assignmentName(row) || row.AssignmentId }),
    allLabel: t('work.selectAll'),
  });
  // Clears the selection, because rows that are no longer listed would stay selected.
  useOnChange(JSON.stringify(filter), selection.none);
  const checks = useMemo(() => ({ ...selection, heading: t('work.selected') }), [selection]);
  const openRow = useCallback((row: AssignmentRow) => open(assignmentPlace(row)), [open]);
  const table = useRef<TableHandle>(null);
  const planning = useDialog<readonly string[]>();
  const selected = selection.ids.size;
  const known = result?.known ?? 0;
  if (known === 0 && error !== undefined && !busy) return <Failure error={error} onRetry={reload} />;
  if (known === 0 && reading === undefined) return <Loading label={t('work.loading')} />;
  const empty =
    known === 0 ? (
      <Empty
        title={t('work.none')}
        hint={t('work.noneHint')}
        action={<OpenButton place={{ name: 'protocols' }}>{t('protocols.title')}</OpenButton>}
      />
    ) : (
      <Empty title={t('work.noMatch')} action={<Button onClick={onClear}>{t('common.clearFilters')}</Button>} />
    );
  return (
    <>
      {error !== undefined && <FailureBar error={error} onRetry={reload} />}
      {error === undefined && !busy && reading && <ReadingNotes reading={reading} />}
      <Line>
        {children}
        <Tooltip
          content={selected === 0 ? t('work.plan.select') : t('work.plan.title', { count: selected })}
          relationship="description"
        >
          <Button
            icon={<CalendarClock20Regular />}
            disabledFocusable={selected === 0}
            onClick={({ currentTarget }) => planning.open(currentTarget, [...selection.ids])}
          >
            {/* A text beside the button could begin a new line, and move a row away from the pointer. */}
            {t('common.counted', { name: t('work.plan.open'), count: selected })}
          </Button>
        </Tooltip>
        <span role="status" className={styles.selected}>
          {selected > 0 && t('uploads.files.selected', { count: selected })}
        </span>
      </Line>
      <PlanMany
        ids={planning.about}
        onClose={planning.close}
        onPlanned={() => {
          planning.close();
          selection.none();
          // Without a selection, the button that opened the dialog is disabled, so the focus moves to the table.
          table.current?.focus();
        }}
      />
      <DataTable
        rows={found}
        loading={t('work.loading')}
        id="assignments"
        handle={table}
        label={t('work.title')}
        columns={tableColumns}
        selection={selection}
        checks={checks}
        unreadable={isNarrowed(filter) ? 0 : (reading?.unreadable ?? 0)}
        busy={busy}
        searched={filter.text}
        sort={sort}
        onSort={onSort}
        open={openRow}
        empty={total > 0 ? undefined : empty}
      />
      {filter.projects === true && reading !== undefined && lacksSome(reading) && (
        <Text>{t('protocols.projects.more', { count: reading.value.TotalCount })}</Text>
      )}
    </>
  );
};

/**
 * Whether the filter selects by text, group, city, performer, status or day. Unreadable records are then not counted,
 * because they may not match.
 */
const isNarrowed = ({ text, group, City, Performer, AssignmentStatus, fromMs }: WorkFilter): boolean =>
  text !== '' || [group, City, Performer, AssignmentStatus, fromMs].some((value) => value !== undefined);

const lacksSome = ({ value, unreadable }: Reading<AssignmentList>): boolean =>
  value.TotalCount > value.Items.length + unreadable;

const useCountyChoiceStyles = makeStyles({ county: { width: '200px', minWidth: 0, '& input': { minWidth: 0 } } });

type CountyChoiceProps = {
  readonly counties: readonly string[];
  readonly value: string;
  readonly onChange: (county: string) => void;
};

const CountyChoice = ({ counties, value, onChange }: CountyChoiceProps) => {
  const typed = value.trim().toLocaleLowerCase();
  const fitting = counties.filter((county) => county.toLocaleLowerCase().startsWith(typed));
  const offered = counties.some((county) => county === value) ? counties : fitting;
  return (
    <Combobox
      className={useCountyChoiceStyles().county}
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
