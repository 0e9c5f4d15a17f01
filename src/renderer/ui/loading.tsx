import { makeStyles, Skeleton, SkeletonItem, tokens } from '@fluentui/react-components';

const useStyles = makeStyles({
  skeleton: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalL,
    padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalM}`,
  },
});

/** Grey lines in the place of rows that are on their way. `label` says what is being loaded. */
export const Loading = ({ label, lines = 6 }: { readonly label: string; readonly lines?: number }) => {
  const styles = useStyles();
  return (
    <div role="status" aria-label={label}>
      <Skeleton className={styles.skeleton} aria-hidden="true">
        {Array.from({ length: lines }, (_, line) => (
          <SkeletonItem key={line} size={16} />
        ))}
      </Skeleton>
    </div>
  );
};
