import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { WorkGroup } from '../../../contract/assignments.ts';
import { OpenButton } from '../../domain/actions.tsx';
import { useAssignmentValues, useWorkDays, useWorkList, type WorkFilter } from '../../queries/work.ts';
import { soon } from '../../ui/later.tsx';
import { Line } from '../../ui/page.tsx';
import { stacked } from '../../ui/styles.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { formatDay } from '../../words/dates.ts';
import { t } from '../../words/words.ts';
import { dayStartsOf, MonthStrip, monthOf } from './month-strip.tsx';

const WorkFilters = soon(async () => (await import('../../domain/assignments/work-filters.tsx')).WorkFilters);
const WorkTable = soon(async () => (await import('./work-table.tsx')).WorkTable);

const useStyles = makeStyles({
  part: stacked(tokens.spacingVerticalS),
  gap: { flexGrow: 1 },
});

type WorkPartProps = {
  /** Whether the first assignments are being read. */
  readonly isLoading: boolean;
};

/** The work list: a month by days, its groups with their counts, and the assignments of one group or day. */
export const WorkPart = ({ isLoading }: WorkPartProps) => {
  const styles = useStyles();
  const { todayMs } = useWorkDays();
  const [month, setMonth] = useState(() => monthOf(todayMs));
  const [dayMs, setDay] = useState<number>();
  const [group, setGroup] = useState<WorkGroup>('overdue');
  const [filter, setFilter] = useState<WorkFilter>({});
  const { value: values } = useAssignmentValues();
  const dayStarts = dayStartsOf(month);
  const { value: counts } = useWorkList(filter, dayStarts);
  const endMs = dayStarts.find((startMs) => dayMs !== undefined && startMs > dayMs);
  const shown: WorkFilter =
    dayMs === undefined || endMs === undefined
      ? { ...filter, group }
      : { ...filter, open: true, fromMs: dayMs, beforeMs: endMs };
  return (
    <section className={styles.part} aria-label={t('work.label')}>
      <MonthStrip
        month={month}
        onMonth={(next) => {
          setMonth(next);
          setDay(undefined);
        }}
        counts={counts?.days}
        todayMs={todayMs}
        dayMs={dayMs}
        onDay={setDay}
      />
      {dayMs === undefined ? (
        <Tabs
          label={t('work.label')}
          values={WorkGroup.options}
          nameOf={(one) =>
            // Before the first list of the service is there, none would be wrong.
            counts === undefined || counts.known === 0
              ? t(`work.groups.${one}`)
              : t('work.counted', { name: t(`work.groups.${one}`), count: counts.groups[one] })
          }
          hintOf={(one) => t(`work.hints.${one}`)}
          value={group}
          onChange={setGroup}
        />
      ) : (
        <Text weight="semibold" role="status">
          {t('work.startsOn', { day: formatDay(dayMs) })}
        </Text>
      )}
      <Line>
        <WorkFilters
          values={values}
          filter={filter}
          onChange={(change) => setFilter((before) => ({ ...before, ...change }))}
        />
        <span className={styles.gap} />
        <OpenButton appearance="subtle" place={{ name: 'assignments', ...(dayMs === undefined && { group }) }}>
          {t('work.allAssignments')}
        </OpenButton>
      </Line>
      <WorkTable filter={shown} known={counts?.known} isLoading={isLoading} />
    </section>
  );
};
