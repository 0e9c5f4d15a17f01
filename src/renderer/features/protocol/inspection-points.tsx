import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { useMemo, useRef, useState } from 'react';
import type { InspectionPoint } from '../../../contract/resources.ts';
import { useRemembered } from '../../state/use-remembered.ts';
import { bareList } from '../../ui/bare.ts';
import { Empty } from '../../ui/empty.tsx';
import { t } from '../../words/words.ts';
import { groupPoints } from './group-points.ts';
import { PointDetails } from './point-details.tsx';
import { everyPoint, filterPoints } from './point-filter.ts';
import { PointFilters } from './point-filters.tsx';
import { PointRow } from './point-row.tsx';
import { PointView, PointViews } from './point-views.tsx';
import { remarksOf } from './remarks.ts';

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
  list: bareList,
});

type InspectionPointsProps = {
  readonly points: readonly InspectionPoint[];
  /** The severity of which all points are shown at first; if absent, the view that was chosen last is shown. */
  readonly severity?: string | undefined;
};

/** Inspection points that are to do, worst first, or all by category, with the details of one beside them. */
export const InspectionPoints = ({ points, severity }: InspectionPointsProps) => {
  const styles = useStyles();
  const [filter, setFilter] = useState({ ...everyPoint, severity });
  const [shownId, show] = useState<string>();
  const [remembered = 'to-do', remember] = useRemembered('protocol.points', PointView);
  const [chosen, choose] = useState<PointView | undefined>(severity === undefined ? undefined : 'all');
  const view = chosen ?? remembered;
  const toDo = useMemo(() => remarksOf(points), [points]);
  const list = useRef<HTMLDivElement>(null);
  const closeDetails = (): void => {
    list.current?.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus();
    show(undefined);
  };
  const listed = view === 'to-do' ? toDo : points;
  const filtered = filterPoints(listed, filter);
  const shown = filtered.find(({ ProtocolInspectionPointId }) => ProtocolInspectionPointId === shownId);
  return (
    <div className={styles.points}>
      <PointViews
        value={view}
        counts={{ 'to-do': toDo.length, all: points.length }}
        onChange={(next) => {
          choose(next);
          remember(next);
        }}
      />
      <PointFilters points={listed} filter={filter} onChange={setFilter} />
      <span role="status">
        {filtered.length === points.length
          ? t('count.inspectionPoint', { count: points.length })
          : t('protocol.filter.shown', { shown: filtered.length, count: points.length })}
      </span>
      {listed.length === 0 ? (
        <Empty title={t('protocol.nothingToDo')} hint={t('protocol.nothingToDoHint')} />
      ) : (
        filtered.length === 0 && <Empty title={t('protocol.filter.noMatch')} />
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of what is in it. */}
      <div
        className={mergeClasses(styles.columns, shown && styles.withPane)}
        onKeyDown={({ key }) => key === 'Escape' && shown !== undefined && closeDetails()}
      >
        <div ref={list}>
          {groupPoints(filtered, view === 'to-do' ? 'Severity' : 'Category').map(({ name, points: grouped }) => (
            <div key={name}>
              <h3 className={styles.heading}>{t('protocol.group', { name, count: grouped.length })}</h3>
              <ul className={styles.list}>
                {grouped.map((point) => (
                  <PointRow
                    key={point.ProtocolInspectionPointId}
                    point={point}
                    shown={point === shown}
                    withCategory={view === 'to-do'}
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
