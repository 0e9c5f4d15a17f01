import { Link, makeStyles, tokens } from '@fluentui/react-components';
import { use, useRef, useState } from 'react';
import { OpenDoctor } from '../../domain/reach/open-doctor.tsx';
import { bareList } from '../../ui/bare.ts';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { PageBody } from '../../ui/page-body.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { spokenLocale, t } from '../../words/words.ts';
import { findParts } from './guide.ts';
import { GuideBlock } from './guide-block.tsx';
import { loadGuide } from './load-guide.ts';

const useStyles = makeStyles({
  contents: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL}`,
    ...bareList,
  },
  part: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM, maxWidth: '720px' },
  heading: {
    margin: 0,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
    outline: 'none',
  },
});

/** The user guide, which is part of the app, in its language. */
export const HelpPage = () => {
  const styles = useStyles();
  const parts = use(loadGuide(spokenLocale()));
  const [text, setText] = useState('');
  const body = useRef<HTMLDivElement>(null);
  const found = findParts(parts, text.trim());
  const go = (id: string): void => {
    const heading = body.current?.querySelector<HTMLElement>(`[data-part="${id}"]`);
    heading?.scrollIntoView({ block: 'start' });
    heading?.focus({ preventScroll: true });
  };
  return (
    <Page
      title={t('shell.help')}
      subtitle={<span role="status">{text.trim() !== '' && t('help.found', { count: found.length })}</span>}
      actions={
        <>
          <OpenDoctor />
          <SearchField label={t('help.search')} value={text} onChange={(_, data) => setText(data.value)} />
        </>
      }
    >
      <PageBody>
        {found.length === 0 && <Empty title={t('help.noMatch', { text: text.trim() })} />}
        <nav aria-label={t('help.contents')}>
          <ul className={styles.contents}>
            {found.map(({ title, id }) => (
              <li key={id}>
                <Link as="button" onClick={() => go(id)}>
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div ref={body} style={{ display: 'contents' }}>
          {found.map(({ title, id, blocks }) => (
            <section key={id} className={styles.part} aria-label={title}>
              <h2 tabIndex={-1} data-part={id} className={styles.heading}>
                {title}
              </h2>
              {blocks.map((block) => (
                <GuideBlock key={JSON.stringify(block)} block={block} onGo={go} />
              ))}
            </section>
          ))}
        </div>
      </PageBody>
    </Page>
  );
};
