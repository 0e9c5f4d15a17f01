import {
  Button,
  makeStyles,
  mergeClasses,
  Text,
  tokens,
  typographyStyles,
  useArrowNavigationGroup,
} from '@fluentui/react-components';
import { ChevronLeft20Regular, ChevronRight20Regular } from '@fluentui/react-icons';
import { useState } from 'react';
import { WorkGroup } from '../../../contract/assignments.ts';
import { OpenButton } from '../../domain/actions.tsx';
import type { WorkFilter } from '../../domain/assignments/assignments.tsx';
import { useCallQuery, useCalls, useWorkDays } from '../../queries/query.tsx';
import { eagerly } from '../../ui/lazy.tsx';
import { Line, Minor } from '../../ui/page.tsx';
import { bareButton, bareList, sideBySide, stacked, unseen } from '../../ui/styles.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { formatCount } from '../../words/amounts.ts';
import { formatDay, formatMonth } from '../../words/dates.ts';
import { t } from '../../words/words.ts';

const WorkFilters = eagerly(async () => (await import('../../domain/assignments/work-filters.tsx')).WorkFilters);
const WorkTable = eagerly(async () => (await import('./work-table.tsx')).WorkTable);

const useStyles = makeStyles({
  part: stacked(tokens.spacingVerticalS),
  gap: { flexGrow: 1 },
  strip: stacked(tokens.spacingVerticalXS),
  head: { ...sideBySide(tokens.spacingHorizontalXS), flexWrap: 'wrap' },
  heading: {
    margin: 0,
    marginInlineEnd: tokens.spacingHorizontalS,
    ...typographyStyles.subtitle2,
  },
  days: { ...bareList, display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(28px, 1fr))', gap: '2px' },
  day: {
    ...bareButton,
    position: 'relative',
    boxSizing: 'border-box',
    width: '100%',
    minHeight: '52px',
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    justifyContent: 'space-between',
    padding: '4px 0',
    border: '1px solid transparent',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: 'transparent',
    cursor: 'pointer',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
  rest: { backgroundColor: tokens.colorNeutralBackground3 },
  today: { border: `1px solid ${tokens.colorCompoundBrandStroke}` },
  chosen: {
    backgroundColor: tokens.colorBrandBackground2,
    outline: `2px solid ${tokens.colorCompoundBrandStroke}`,
    outlineOffset: '-2px',
  },
  number: {
    ...typographyStyles.caption1,
    color: tokens.colorNeutralForeground3,
  },
  // Marks today in high contrast, too, where every day has a border.
  todayNumber: typographyStyles.caption1Strong,
  count: {
    ...typographyStyles.body1Strong,
    fontVariantNumeric: 'tabular-nums',
  },
  unseen,
  none: { color: tokens.colorNeutralForeground4, fontWeight: tokens.fontWeightRegular },
});

/**
 * Queries how many matching assignments each group has, and how many open ones begin on each day. `dayStarts`: when the
 * days begin and the last one ends, in ms since 1970.
 */
export const useWorkList = (filter: Omit<WorkFilter, 'group'>, dayStarts: readonly number[]) => {
  const days = useWorkDays();
  return useCallQuery(useCalls().assignments.workList({ ...filter, days, dayStarts }));
};

export const WorkPart = ({ isLoading }: { readonly isLoading: boolean }) => {
  const styles = useStyles();
  const { todayMs } = useWorkDays();
  const [chosenMonth, setMonth] = useState<number>();
  const [dayMs, setDay] = useState<number>();
  const month = chosenMonth ?? monthOf(dayMs ?? todayMs);
  const [group, setGroup] = useState<WorkGroup>('overdue');
  const [filter, setFilter] = useState<WorkFilter>({});
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
            // While no assignments are known, a count of 0 could be wrong, because their lists may not have been read
            // yet.
            counts === undefined || counts.known === 0
              ? t(`work.groups.${one}`)
              : t('common.counted', { name: t(`work.groups.${one}`), count: counts.groups[one] })
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
        <WorkFilters filter={filter} onChange={(change) => setFilter((before) => ({ ...before, ...change }))} />
        <span className={styles.gap} />
        <OpenButton appearance="subtle" place={{ name: 'assignments', filter: shown }}>
          {t('work.allAssignments')}
        </OpenButton>
      </Line>
      <WorkTable filter={shown} known={counts?.known} isLoading={isLoading} />
    </section>
  );
};

// A month is the number of months since January 1970, so that it stays the same month in another time zone.

const monthOf = (timeMs: number): number => {
  const date = new Date(timeMs);
  return (date.getFullYear() - 1970) * 12 + date.getMonth();
};

/** Returns when each day of a month begins, and when the month ends, in ms since 1970. */
const dayStartsOf = (month: number): readonly number[] => {
  const days = new Date(1970, month + 1, 0).getDate();
  return Array.from({ length: days + 1 }, (_, day) => new Date(1970, month, day + 1).getTime());
};

type MonthStripProps = {
  readonly month: number;
  readonly onMonth: (month: number) => void;
  readonly counts: readonly number[] | undefined;
  readonly todayMs: number;
  readonly dayMs: number | undefined;
  /** Called with the start of the chosen day; undefined for all days. */
  readonly onDay: (dayMs: number | undefined) => void;
};

const isWeekend = (timeMs: number): boolean => [0, 6].includes(new Date(timeMs).getDay());

const MonthStrip = ({ month, onMonth, counts, todayMs, dayMs, onDay }: MonthStripProps) => {
  const styles = useStyles();
  const arrows = useArrowNavigationGroup({ axis: 'grid-linear', memorizeCurrent: true });
  const starts = dayStartsOf(month).slice(0, -1);
  const move = (months: number, label: string, Icon: typeof ChevronLeft20Regular) => (
    <Button
      appearance="subtle"
      size="small"
      icon={<Icon />}
      aria-label={label}
      title={label}
      onClick={() => onMonth(month + months)}
    />
  );
  return (
    <section className={styles.strip} aria-label={t('work.month')}>
      <div className={styles.head}>
        <h2 className={styles.heading} aria-live="polite">
          {formatMonth(new Date(1970, month).getTime())}
        </h2>
        <Minor>{t('work.month')}</Minor>
        {move(-1, t('common.date.previousMonth'), ChevronLeft20Regular)}
        {move(1, t('common.date.nextMonth'), ChevronRight20Regular)}
        {dayMs !== undefined && (
          <Button size="small" appearance="subtle" onClick={() => onDay(undefined)}>
            {t('work.everyDay')}
          </Button>
        )}
      </div>
      <ol className={styles.days} {...arrows}>
        {starts.map((startMs, day) => {
          const count = counts?.[day] ?? 0;
          const label = `${formatDay(startMs)}: ${t('count.assignment', { count })}`;
          return (
            <li key={startMs}>
              <button
                type="button"
                className={mergeClasses(
                  styles.day,
                  isWeekend(startMs) && styles.rest,
                  startMs === todayMs && styles.today,
                  startMs === dayMs && styles.chosen,
                )}
                title={label}
                aria-pressed={startMs === dayMs}
                aria-current={startMs === todayMs ? 'date' : undefined}
                onClick={() => onDay(startMs === dayMs ? undefined : startMs)}
              >
                <span className={styles.unseen}>{label}</span>
                <span
                  className={mergeClasses(styles.number, startMs === todayMs && styles.todayNumber)}
                  aria-hidden="true"
                >
                  {day + 1}
                </span>
                <span className={mergeClasses(styles.count, count === 0 && styles.none)} aria-hidden="true">
                  {count === 0 ? '·' : formatCount(count)}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
};
