import { Link, makeStyles, Spinner, tokens } from '@fluentui/react-components';
import type { ServiceSearch } from '../../queries/search.ts';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  scope: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
});

type SearchScopeProps = {
  readonly service: ServiceSearch;
  /** Opens the service's list for the text. */
  readonly onShowMore: () => void;
};

/** What was searched: the protocols on this computer, and whether the service answered, too. */
export const SearchScope = ({ service: { state, cached, again }, onShowMore }: SearchScopeProps) => {
  const styles = useStyles();
  if (cached === undefined) return null;
  return (
    <div className={styles.scope}>
      {state === 'asking' && <Spinner size="extra-tiny" aria-hidden="true" />}
      <span role="status">{t(`search.scope.${state}`, { count: cached })}</span>
      {state === 'part' && (
        <Link as="button" inline onClick={onShowMore}>
          {t('search.scope.more')}
        </Link>
      )}
      {state === 'failed' && (
        <Link as="button" inline onClick={again}>
          {t('common.tryAgain')}
        </Link>
      )}
    </div>
  );
};
