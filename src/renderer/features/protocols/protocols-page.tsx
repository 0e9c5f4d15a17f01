import { SearchBox } from '@fluentui/react-components';
import { useState } from 'react';
import { counted, formatCount } from '../../ui/amounts.ts';
import { Page } from '../../ui/page.tsx';
import { RefreshButton } from '../../ui/refresh-button.tsx';
import { useLater } from '../../ui/use-later.ts';
import { ProtocolTable } from './protocol-table.tsx';
import { useProtocolList } from './use-protocol-list.ts';

const typingPauseMs = 300;

/** All compiled inspection protocols, with a search. */
export const ProtocolsPage = () => {
  const [text, setText] = useState('');
  const query = useLater(text.trim(), typingPauseMs);
  const { list, loadMore, reload } = useProtocolList(query);
  const { loaded } = list;
  return (
    <Page
      title="Protocols"
      subtitle={
        <span role="status">
          {loaded !== undefined &&
            (loaded.nextPage === undefined
              ? counted(loaded.rows.length, 'protocol')
              : `${formatCount(loaded.rows.length)} of ${counted(loaded.total, 'protocol')} loaded`)}
        </span>
      }
      actions={
        <>
          <SearchBox
            aria-label="Search protocols"
            placeholder="Search protocols"
            value={text}
            onChange={(_, { value }) => setText(value)}
          />
          <RefreshButton busy={list.busy !== undefined} onClick={reload} />
        </>
      }
    >
      <ProtocolTable list={list} query={query} onMore={loadMore} onRetry={reload} />
    </Page>
  );
};
