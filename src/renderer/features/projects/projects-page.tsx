import { useState } from 'react';
import { statusName } from '../../domain/assignments/status-badge.tsx';
import { ReadingView } from '../../domain/readings/reading-view.tsx';
import { RefreshButton } from '../../domain/readings/refresh-button.tsx';
import { useCounties, useProjects } from '../../queries/assignments.ts';
import { Choice } from '../../ui/choice.tsx';
import { Page } from '../../ui/page.tsx';
import { PageFill } from '../../ui/page-fill.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import { t } from '../../words/words.ts';
import { CountyChoice } from './county-choice.tsx';
import { ProjectTable } from './project-table.tsx';
import { countText, statusesOf } from './project-view.ts';

const typingPauseMs = 300;

type ProjectsPageProps = {
  /** Shows the assignments of this status at first. */
  readonly status?: string | undefined;
};

/** The assignments for projects, of all counties or of one. */
export const ProjectsPage = (props: ProjectsPageProps) => {
  const [text, setText] = useState('');
  const [status, setStatus] = useState(props.status);
  const county = useDebounced(text.trim(), typingPauseMs);
  const state = useProjects(county);
  const list = state.reading?.value;
  const { value: counties = [] } = useCounties();
  return (
    <Page
      title={t('protocols.projects.title')}
      subtitle={<span role="status">{list && countText(list.Items, status)}</span>}
      actions={
        <>
          <Choice
            label={t('assignment.status')}
            all={t('assignment.everyStatus')}
            nameOf={statusName}
            values={statusesOf(list?.Items ?? [])}
            value={status}
            onChange={setStatus}
          />
          <CountyChoice counties={counties} value={text} onChange={setText} />
          <RefreshButton busy={state.busy} onClick={state.reload} />
        </>
      }
    >
      <PageFill>
        <ReadingView state={state} loading={t('assignment.loading')}>
          {(value, { unreadable }) => (
            <ProjectTable list={value} unreadable={unreadable} county={county} status={status} busy={state.busy} />
          )}
        </ReadingView>
      </PageFill>
    </Page>
  );
};
