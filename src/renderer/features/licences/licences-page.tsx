import { makeStyles, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { z } from 'zod';
import { CallResult } from '../../domain/readings.tsx';
import { useCallQuery } from '../../queries/query.tsx';
import { Empty, Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { bareList } from '../../ui/styles.ts';
import { t } from '../../words/words.ts';

export const LicencesPage = () => {
  const [text, setText] = useState('');
  const licences = useCallQuery(licencesQuery);
  const found = licences.value && findLicences(licences.value, text.trim());
  return (
    <Page
      title={t('licences.title')}
      count={found ? t('licences.count', { count: found.length }) : ''}
      actions={<SearchField label={t('licences.search')} value={text} onChange={setText} />}
    >
      <CallResult {...licences} value={found} loading={t('licences.loading')}>
        {(found) => {
          if (found.length > 0) return <LicenceList licences={found} />;
          const isEmpty = licences.value?.length === 0;
          return <Empty title={isEmpty ? t('licences.none') : t('licences.noMatch', { text: text.trim() })} />;
        }}
      </CallResult>
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
    // Restores the colour of texts. With forced colours, Chromium gives a summary, and everything in it, the colour of
    // links.
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

const Licences = z.array(z.object({ name: z.string(), version: z.string(), licence: z.string(), text: z.string() }));

type Licence = Readonly<z.infer<typeof Licences>[number]>;

/**
 * Reads the licences that the build wrote (scripts/licences.mjs). Resolves to an empty list if their file does not
 * exist, as before the first build.
 */
const readLicences = async (): Promise<readonly Licence[]> => {
  const response = await fetch('./licences.json');
  if (response.status === 404) return [];
  return Licences.parse(await response.json());
};

/** The query of the licences. They are part of the app, so they do not change while it runs. */
const licencesQuery = { queryKey: ['licences'], queryFn: readLicences, staleTime: 'static' } as const;

const findLicences = (licences: readonly Licence[], text: string): readonly Licence[] => {
  const words = text.toLowerCase().split(/\s+/);
  return licences.filter(({ name, version, licence }) =>
    words.every((word) => `${name} ${version} ${licence}`.toLowerCase().includes(word)),
  );
};
