import { Text } from '@fluentui/react-components';
import type { AssignmentList, AssignmentSummary } from '../../../contract/resources.ts';
import { StatusBadge, statusName } from '../../domain/assignments/status-badge.tsx';
import { ReadingView } from '../../domain/readings/reading-view.tsx';
import { UnreadableNote } from '../../domain/readings/unreadable-note.tsx';
import type { ReadingState } from '../../queries/use-reading-query.ts';
import { useApp } from '../../state/context.tsx';
import { type Bar, BarList } from '../../ui/bar-list.tsx';
import { Part } from '../../ui/part.tsx';
import { t } from '../../words/words.ts';

/** How many of `rows` have each status, the most frequent first. */
const byStatus = (rows: readonly AssignmentSummary[], open: (status: string) => void): readonly Bar[] =>
  [...Map.groupBy(rows, (row) => row.AssignmentStatus)]
    .map(([status, { length }]) => ({
      key: status,
      name: statusName(status),
      show: <StatusBadge status={status} />,
      count: length,
      open: () => open(status),
    }))
    .sort((a, b) => b.count - a.count);

/** The assignments for projects by status; each status opens its assignments. */
export const StatusPanel = ({ state }: { readonly state: ReadingState<AssignmentList> }) => {
  const open = useApp((state) => state.open);
  return (
    <Part title={t('overview.statuses')}>
      <ReadingView state={state} loading={t('assignment.loading')}>
        {({ Items }, { unreadable }) => (
          <>
            {Items.length === 0 ? (
              <Text>{t('overview.noAssignments')}</Text>
            ) : (
              <BarList
                label={t('overview.statuses')}
                bars={byStatus(Items, (status) => open({ name: 'projects', status }))}
              />
            )}
            <UnreadableNote count={unreadable} />
          </>
        )}
      </ReadingView>
    </Part>
  );
};
