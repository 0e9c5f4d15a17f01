import { CounterBadge, makeStyles } from '@fluentui/react-components';

const useStyles = makeStyles({
  badge: { '@media (min-width: 480px) and (max-width: 999px)': { position: 'absolute', top: '2px', right: '6px' } },
});

type SectionCountProps = { readonly count: number; readonly label: string | undefined };

/** A count next to the name of a section. */
export const SectionCount = ({ count, label }: SectionCountProps) => (
  <CounterBadge className={useStyles().badge} count={count} size="small" aria-label={label} />
);
