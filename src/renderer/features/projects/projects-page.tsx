import { SearchBox, Text } from '@fluentui/react-components';
import { useCallback, useState } from 'react';
import { useApp, useDesk } from '../../app/context.tsx';
import { ReadingView } from '../../app/reading-view.tsx';
import { counted } from '../../ui/amounts.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { PageFill } from '../../ui/page-fill.tsx';
import { RefreshButton } from '../../ui/refresh-button.tsx';
import { useLater } from '../../ui/use-later.ts';
import { useReading } from '../../ui/use-reading.ts';
import { assignmentColumns } from '../assignment/assignment-columns.tsx';

const typingPauseMs = 300;

/** The assignments for projects, of all counties or of one. */
export const ProjectsPage = () => {
  const desk = useDesk();
  const open = useApp((state) => state.open);
  const [text, setText] = useState('');
  const county = useLater(text.trim(), typingPauseMs);
  const state = useReading(
    useCallback(() => desk.assignments.projects({ ...(county === '' ? {} : { County: county }) }), [desk, county]),
  );
  const list = state.reading?.value;
  return (
    <Page
      title="Projects"
      subtitle={<span role="status">{list && counted(list.Items.length, 'assignment')}</span>}
      actions={
        <>
          <SearchBox
            aria-label="County"
            placeholder="County"
            value={text}
            onChange={(_, { value }) => setText(value)}
          />
          <RefreshButton busy={state.busy} onClick={state.reload} />
        </>
      }
    >
      <PageFill>
        <ReadingView state={state} loading="Loading assignments">
          {({ Items, TotalCount }, { unreadable }) =>
            Items.length === 0 ? (
              <Empty
                title={county === '' ? 'There are no assignments for projects.' : `No assignments in “${county}”.`}
              />
            ) : (
              <>
                <DataTable
                  label="Assignments for projects"
                  columns={assignmentColumns}
                  count={Items.length}
                  rowAt={(index) => Items[index]}
                  busy={state.busy}
                  open={(summary) =>
                    open({ name: 'assignment', AssignmentId: summary.AssignmentId, summary, section: 'projects' })
                  }
                />
                {TotalCount > Items.length + unreadable && (
                  <Text>
                    The service has {counted(TotalCount, 'assignment')} but gives out only these. Choose a county to see
                    others.
                  </Text>
                )}
              </>
            )
          }
        </ReadingView>
      </PageFill>
    </Page>
  );
};
