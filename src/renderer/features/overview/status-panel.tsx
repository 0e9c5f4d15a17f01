import { Text } from '@fluentui/react-components';
import type { AssignmentList, AssignmentSummary } from '../../../contract/resources.ts';
import { useApp } from '../../app/context.tsx';
import { ReadingView } from '../../app/reading-view.tsx';
import { type Bar, BarList } from '../../ui/bar-list.tsx';
import { Part } from '../../ui/part.tsx';
import { UnreadableNote } from '../../ui/unreadable-note.tsx';
import type { ReadingState } from '../../ui/use-reading.ts';
import { t } from '../../words/words.ts';
import { StatusBadge, statusName } from '../assignment/status-badge.tsx';

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

/** The assignments for projects by their status; each leads to its assignments. */
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
