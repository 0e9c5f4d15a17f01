import { makeStyles, Skeleton, SkeletonItem, tokens } from '@fluentui/react-components';

const useStyles = makeStyles({
  skeleton: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalL,
    padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalM}`,
  },
});

const lineNumbers = [1, 2, 3, 4, 5, 6];

/** At most six grey lines in place of rows that are still loading. `label` says what is being loaded. */
export const Loading = ({ label, lines = lineNumbers.length }: { readonly label: string; readonly lines?: number }) => {
  const styles = useStyles();
  return (
    <div role="status" aria-label={label}>
      <Skeleton className={styles.skeleton} aria-hidden="true">
        {lineNumbers.slice(0, lines).map((line) => (
          <SkeletonItem key={line} size={16} />
        ))}
      </Skeleton>
    </div>
  );
};
