import { makeStyles, tokens } from '@fluentui/react-components';
import { RefreshButton } from '../../ui/refresh-button.tsx';
import { t } from '../../words/words.ts';
import { ProtocolTable } from './protocol-table.tsx';
import { useProtocolList } from './use-protocol-list.ts';

const useStyles = makeStyles({
  summary: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    padding: `0 ${tokens.spacingHorizontalXXL} ${tokens.spacingVerticalXS}`,
  },
});

/** The protocols that the service lists, page by page as one scrolls. */
export const ServiceProtocols = ({ query }: { readonly query: string }) => {
  const styles = useStyles();
  const { list, loadMore, reload } = useProtocolList(query);
  const { loaded } = list;
  const total = t('count.protocol', { count: loaded?.total ?? 0 });
  return (
    <>
      <div className={styles.summary}>
        <span role="status">
          {loaded !== undefined &&
            (loaded.rows.length >= loaded.total ? total : t('protocols.loaded', { loaded: loaded.rows.length, total }))}
        </span>
        <RefreshButton busy={list.busy !== undefined} onClick={reload} />
      </div>
      <ProtocolTable list={list} query={query} onMore={loadMore} onRetry={reload} />
    </>
  );
};
