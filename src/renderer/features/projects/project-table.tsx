import { Text } from '@fluentui/react-components';
import { useMemo } from 'react';
import type { AssignmentList } from '../../../contract/resources.ts';
import { assignmentColumns } from '../../domain/assignments/assignment-columns.tsx';
import { useApp } from '../../state/context.tsx';
import { assignmentPlace } from '../../state/places.ts';
import { useSort } from '../../state/use-sort.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { t } from '../../words/words.ts';
import { viewProjects } from './project-view.ts';

type ProjectTableProps = {
  readonly list: AssignmentList;
  readonly unreadable: number;
  readonly county: string;
  readonly status: string | undefined;
  readonly busy: boolean;
};

/** The table of assignments for projects. */
export const ProjectTable = ({ list, unreadable, county, status, busy }: ProjectTableProps) => {
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
