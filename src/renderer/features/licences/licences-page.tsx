import { useState } from 'react';
import { Failure } from '../../domain/errors/failure.tsx';
import { useAnswerQuery } from '../../queries/use-answer-query.ts';
import { Empty } from '../../ui/empty.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Page } from '../../ui/page.tsx';
import { PageBody } from '../../ui/page-body.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { t } from '../../words/words.ts';
import { LicenceList } from './licence-list.tsx';
import { findLicences, licencesQuery } from './read-licences.ts';

/** The third-party packages in the app with their licences. */
export const LicencesPage = () => {
  const [text, setText] = useState('');
  const { value, error, reload } = useAnswerQuery(licencesQuery);
  const found = value && findLicences(value, text.trim());
  return (
    <Page
      title={t('licences.title')}
      subtitle={<span role="status">{found && t('licences.count', { count: found.length })}</span>}
      actions={<SearchField label={t('licences.search')} value={text} onChange={(_, data) => setText(data.value)} />}
    >
      <PageBody>
        {error !== undefined && <Failure error={error} onRetry={reload} />}
        {error === undefined && found === undefined && <Loading label={t('licences.loading')} />}
        {found?.length === 0 && (
          <Empty title={value?.length === 0 ? t('licences.none') : t('licences.noMatch', { text: text.trim() })} />
        )}
        {found !== undefined && found.length > 0 && <LicenceList licences={found} />}
      </PageBody>
    </Page>
  );
};
