import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { useRef, useState } from 'react';
import type { InspectionPoint } from '../../../contract/resources.ts';
import { Empty } from '../../ui/empty.tsx';
import { t } from '../../words/words.ts';
import { groupPoints } from './group-points.ts';
import { PointDetails } from './point-details.tsx';
import { everyPoint, filterPoints } from './point-filter.ts';
import { PointFilters } from './point-filters.tsx';
import { PointRow } from './point-row.tsx';

const useStyles = makeStyles({
  points: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
  columns: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    gap: tokens.spacingHorizontalXL,
    alignItems: 'start',
  },
  withPane: { '@media screen and (min-width: 1000px)': { gridTemplateColumns: 'minmax(0, 1fr) 320px' } },
  heading: {
    margin: `${tokens.spacingVerticalM} 0 ${tokens.spacingVerticalS}`,
    fontSize: tokens.fontSizeBase300,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  },
  list: { listStyle: 'none', margin: 0, padding: 0 },
});

type InspectionPointsProps = {
  readonly points: readonly InspectionPoint[];
  /** The severity that is shown at first; all if absent. */
  readonly severity?: string | undefined;
};

/** Inspection points by category, with the details of one beside them. */
export const InspectionPoints = ({ points, severity }: InspectionPointsProps) => {
  const styles = useStyles();
  const [filter, setFilter] = useState({ ...everyPoint, severity });
  const [shownId, show] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const closeDetails = (): void => {
    list.current?.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus();
    show(undefined);
  };
  const filtered = filterPoints(points, filter);
  const shown = filtered.find(({ ProtocolInspectionPointId }) => ProtocolInspectionPointId === shownId);
  const all = t('count.inspectionPoint', { count: points.length });
  return (
    <div className={styles.points}>
      <PointFilters points={points} filter={filter} onChange={setFilter} />
      <span role="status">
        {filtered.length === points.length ? all : t('protocol.filter.shown', { count: filtered.length, all })}
      </span>
      {filtered.length === 0 && <Empty title={t('protocol.filter.noMatch')} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of what is in it. */}
      <div
        className={mergeClasses(styles.columns, shown && styles.withPane)}
        onKeyDown={({ key }) => key === 'Escape' && shown !== undefined && closeDetails()}
      >
        <div ref={list}>
          {groupPoints(filtered).map(({ category, points: grouped }) => (
            <div key={category}>
              <h3 className={styles.heading}>{t('protocol.group', { category, count: grouped.length })}</h3>
              <ul className={styles.list}>
                {grouped.map((point) => (
                  <PointRow
                    key={point.ProtocolInspectionPointId}
                    point={point}
                    shown={point === shown}
                    onShow={(id) => show(id === shownId ? undefined : id)}
                  />
                ))}
              </ul>
            </div>
          ))}
        </div>
        {shown !== undefined && <PointDetails point={shown} onClose={closeDetails} />}
      </div>
    </div>
  );
};
