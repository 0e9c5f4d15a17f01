import { Button, ToggleButton } from '@fluentui/react-components';
import { Filter20Filled, Filter20Regular } from '@fluentui/react-icons';
import { Suspense, useMemo, useState } from 'react';
import { severityName } from '../../domain/protocols/severity.ts';
import { useApp } from '../../state/context.tsx';
import type { Month } from '../../state/places.ts';
import { later } from '../../ui/later.ts';
import { Page } from '../../ui/page.tsx';
import { PageFill } from '../../ui/page-fill.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { formatMonth } from '../../words/dates.ts';
import { t } from '../../words/words.ts';
import { countFilters, noFilter, type Scope } from './protocol-filter.ts';
import { ProtocolTable } from './protocol-table.tsx';

const ProtocolFilterBar = later(async () => (await import('./protocol-filter-bar.tsx')).ProtocolFilterBar);

type ProtocolsPageProps = {
  readonly month?: Month | undefined;
  readonly severity?: string | undefined;
  /** The initial search. */
  readonly searched?: string | undefined;
};

const scopeText = ({ month, severity }: Scope): string | undefined => {
  if (month !== undefined) return t('protocols.which.month', { month: formatMonth(month.value, 'long') });
  return severity === undefined ? undefined : t('protocols.which.severity', { severity: severityName(severity) });
};

/** The compiled inspection protocols: all, those of one month, or those with points of one severity. */
export const ProtocolsPage = ({ month, severity, searched = '' }: ProtocolsPageProps) => {
  const open = useApp((state) => state.open);
  const [text, setText] = useState(searched);
  const [filter, setFilter] = useState(noFilter);
  const [filtering, setFiltering] = useState(false);
  const scope = useMemo(() => ({ month, severity }), [month, severity]);
  const filters = countFilters(filter);
  return (
    <Page
      title={t('protocols.title')}
      subtitle={scopeText(scope)}
      actions={
        <>
          {scopeText(scope) !== undefined && (
            <Button appearance="subtle" onClick={() => open({ name: 'protocols' })}>
              {t('protocols.which.all')}
            </Button>
          )}
          <ToggleButton
            appearance="subtle"
            icon={filters > 0 ? <Filter20Filled /> : <Filter20Regular />}
            checked={filtering}
            onClick={() => setFiltering(!filtering)}
          >
            {filters > 0 ? t('protocols.filter.count', { count: filters }) : t('protocols.filter.label')}
          </ToggleButton>
          <SearchField label={t('protocols.search')} value={text} onChange={(_, { value }) => setText(value)} />
        </>
      }
    >
      <PageFill>
        {filtering && (
          <Suspense>
            <ProtocolFilterBar filter={filter} hasMonth={month !== undefined} onChange={setFilter} />
          </Suspense>
        )}
        <ProtocolTable text={text.trim()} filter={filter} scope={scope} />
      </PageFill>
    </Page>
  );
};
