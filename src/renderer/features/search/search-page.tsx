import { makeStyles, Tab, TabList, tokens } from '@fluentui/react-components';
import { useMemo, useState } from 'react';
import { LONGEST_SEARCH } from '../../../contract/search.ts';
import { useFound, useServiceSearch } from '../../queries/search.ts';
import { useApp, useSnapshot } from '../../state/context.tsx';
import { Page } from '../../ui/page.tsx';
import { PageFill } from '../../ui/page-fill.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { t } from '../../words/words.ts';
import { FoundAssignments, FoundProtocols, FoundUploads } from './found-tables.tsx';
import { findBatches } from './search-result.ts';
import { SearchScope } from './search-scope.tsx';

const useStyles = makeStyles({
  tabs: { flexWrap: 'wrap', margin: `0 calc(-1 * ${tokens.spacingHorizontalM})`, flexShrink: 0 },
});

const kinds = ['protocols', 'assignments', 'uploads'] as const;
type Kind = (typeof kinds)[number];

/** Everything found for a text, by kind; the service is asked for protocols. */
export const SearchPage = ({ text: asked }: { readonly text: string }) => {
  const styles = useStyles();
  const open = useApp((state) => state.open);
  const [typed, setTyped] = useState(asked);
  const [chosen, choose] = useState<Kind>();
  const text = typed.trim().slice(0, LONGEST_SEARCH);
  const batches = useSnapshot((snapshot) => snapshot.batches);
  const uploads = useMemo(() => (text === '' ? [] : findBatches(batches, text)), [batches, text]);
  const { value } = useFound(text, 1);
  const service = useServiceSearch(text, value);
  const totals: Readonly<Record<Kind, number>> = {
    protocols: value?.protocolTotal ?? 0,
    assignments: value?.assignmentTotal ?? 0,
    uploads: uploads.length,
  };
  const kind = chosen ?? kinds.find((one) => totals[one] > 0) ?? 'protocols';
  const count = totals.protocols + totals.assignments + totals.uploads;
  return (
    <Page
      title={t('search.page.title')}
      subtitle={<span role="status">{value && text !== '' && t('search.page.found', { count, text })}</span>}
      actions={
        <SearchField
          label={t('search.label')}
          placeholder={t('search.everywhere')}
          value={typed}
          onChange={(_, data) => setTyped(data.value)}
        />
      }
    >
      <PageFill>
        {text !== '' && <SearchScope service={service} onShowMore={() => open({ name: 'protocols', text })} />}
        <TabList
          className={styles.tabs}
          aria-label={t('search.page.kinds')}
          selectedValue={kind}
          onTabSelect={(_, data) => choose(kinds.find((one) => one === data.value))}
        >
          {kinds.map((one) => (
            <Tab key={one} value={one}>
              {t('search.page.kind', { name: t(`search.${one}`), count: totals[one] })}
            </Tab>
          ))}
        </TabList>
        {kind === 'protocols' && <FoundProtocols text={text} />}
        {kind === 'assignments' && <FoundAssignments text={text} />}
        {kind === 'uploads' && <FoundUploads text={text} uploads={uploads} />}
      </PageFill>
    </Page>
  );
};
