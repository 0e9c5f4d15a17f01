import { Button, SearchBox, ToggleButton } from '@fluentui/react-components';
import { Suspense, useState } from 'react';
import { useApp } from '../../app/context.tsx';
import { later } from '../../app/later.ts';
import type { Month } from '../../app/places.ts';
import { formatMonth } from '../../ui/dates.ts';
import { Page } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';
import { ServiceProtocols } from './service-protocols.tsx';

const KeptProtocols = later(async () => (await import('./kept-protocols.tsx')).KeptProtocols);

/** The compiled inspection protocols, with a search: the service's, or those on this computer, also of one month. */
export const ProtocolsPage = ({ month }: { readonly month?: Month | undefined }) => {
  const open = useApp((state) => state.open);
  const [text, setText] = useState('');
  const [kept, setKept] = useState(false);
  const query = text.trim();
  return (
    <Page
      title={t('protocols.title')}
      subtitle={month && t('protocols.which.month', { month: formatMonth(month.value, 'long') })}
      actions={
        <>
          {month === undefined ? (
            <ToggleButton appearance="subtle" checked={kept} onClick={() => setKept(!kept)}>
              {t('protocols.which.kept')}
            </ToggleButton>
          ) : (
            <Button appearance="subtle" onClick={() => open({ name: 'protocols' })}>
              {t('protocols.which.everyMonth')}
            </Button>
          )}
          <SearchBox
            aria-label={t('protocols.search')}
            placeholder={t('protocols.search')}
            value={text}
            onChange={(_, { value }) => setText(value)}
          />
        </>
      }
    >
      {kept || month !== undefined ? (
        <Suspense>
          <KeptProtocols query={query} month={month} />
        </Suspense>
      ) : (
        <ServiceProtocols query={query} />
      )}
    </Page>
  );
};
