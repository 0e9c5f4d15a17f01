import { makeStyles, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { Failure } from '../../domain/errors.tsx';
import { useAnswerQuery } from '../../queries/query.tsx';
import { Empty, Loading, Page, PageBody } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { bareList } from '../../ui/styles.ts';
import { t } from '../../words/words.ts';
import { findLicences, type Licence, licencesQuery } from './read-licences.ts';

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

const useLicenceListStyles = makeStyles({
  list: bareList,
  entry: { borderBottom: `1px solid ${tokens.colorNeutralStroke3}` },
  unfold: { '&[open] > summary::before': { transform: 'rotate(90deg)' } },
  name: {
    display: 'flex',
    gap: tokens.spacingHorizontalM,
    padding: `${tokens.spacingVerticalSNudge} 0`,
    cursor: 'pointer',
    listStyle: 'none',
    // Chromium colours it, and everything in it, as a link.
    '@media (forced-colors: active)': {
      color: 'CanvasText',
      '& span': { color: 'CanvasText' },
      '::before': { color: 'CanvasText' },
    },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, borderRadius: tokens.borderRadiusSmall },
    '::before': { content: '"›"', width: '12px', color: tokens.colorNeutralForeground3 },
  },
  package: { fontWeight: tokens.fontWeightSemibold, overflowWrap: 'anywhere' },
  minor: { color: tokens.colorNeutralForeground3 },
  licence: { marginInlineStart: 'auto', flexShrink: 0, color: tokens.colorNeutralForeground3 },
  text: {
    margin: `0 0 ${tokens.spacingVerticalM} 24px`,
    padding: tokens.spacingHorizontalM,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground3,
    fontFamily: tokens.fontFamilyMonospace,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase300,
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
});

/** Packages that unfold to the texts of their licences. */
const LicenceList = ({ licences }: { readonly licences: readonly Licence[] }) => {
  const styles = useLicenceListStyles();
  return (
    <ul className={styles.list}>
      {licences.map(({ name, version, licence, text }) => (
        <li key={`${name} ${version}`} className={styles.entry}>
          <details className={styles.unfold}>
            <summary className={styles.name}>
              <span className={styles.package}>{name}</span>
              <span className={styles.minor}>{version}</span>
              <span className={styles.licence}>{licence}</span>
            </summary>
            <pre className={styles.text}>{text}</pre>
          </details>
        </li>
      ))}
    </ul>
  );
};
