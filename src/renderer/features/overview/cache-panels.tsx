import { Text } from '@fluentui/react-components';
import type { Overview } from '../../../contract/app.ts';
import { severityName, worstFirst } from '../../domain/protocols/severity.ts';
import { SeverityBadge } from '../../domain/protocols/severity-badge.tsx';
import { useApp } from '../../state/context.tsx';
import { BarList } from '../../ui/bar-list.tsx';
import { ColumnChart } from '../../ui/column-chart.tsx';
import { Part } from '../../ui/part.tsx';
import { formatMonth } from '../../words/dates.ts';
import { t } from '../../words/words.ts';

type Counts = { readonly overview: Overview };

/** The inspection points in the offline data by severity, worst first; each severity opens the protocols that have it. */
export const SeverityPanel = ({ overview }: Counts) => {
  const open = useApp((state) => state.open);
  return (
    <Part title={t('overview.severities')}>
      {overview.pointsBySeverity.length === 0 ? (
        <Text>{t('overview.noPoints')}</Text>
      ) : (
        <BarList
          label={t('overview.severities')}
          bars={worstFirst(overview.pointsBySeverity, ({ value }) => value).map(({ value, count }) => ({
            key: value,
            name: severityName(value),
            show: <SeverityBadge severity={value} />,
            count,
            open: () => open({ name: 'protocols', severity: value }),
          }))}
        />
      )}
    </Part>
  );
};

/** The year of a month such as "2026-03". */
const yearOf = (month = ''): string => month.slice(0, 4);

/** As many months as fit side by side. */
const shownMonths = 12;

/** The protocols in the offline data by the month of their inspection; each month opens its protocols. */
export const MonthPanel = ({ overview }: Counts) => {
  const open = useApp((state) => state.open);
  return (
    <Part title={t('overview.months')}>
      {overview.protocolsByMonth.length === 0 ? (
        <Text>{t('overview.noProtocols')}</Text>
      ) : (
        <ColumnChart
          label={t('overview.months')}
          columns={overview.protocolsByMonth
            .slice(-shownMonths)
            .map(({ value, count, fromMs, beforeMs }, index, shown) => ({
              key: value,
              name: formatMonth(value, 'long'),
              short: formatMonth(value, 'short'),
              // Months without a protocol are missing, so each year is named at its first month.
              under: yearOf(value) === yearOf(shown[index - 1]?.value) ? '' : yearOf(value),
              count,
              open: () => open({ name: 'protocols', month: { value, from: fromMs, before: beforeMs } }),
            }))}
        />
      )}
    </Part>
  );
};
