import { CounterBadge, makeStyles } from '@fluentui/react-components';
import { folded } from '../ui/styles.ts';

const useStyles = makeStyles({
  badge: { [folded]: { position: 'absolute', top: '2px', right: '2px' } },
});

type SectionCountProps = { readonly count: number; readonly label: string | undefined };

/** A count next to the name of a section. */
export const SectionCount = ({ count, label }: SectionCountProps) => (
  <CounterBadge className={useStyles().badge} count={count} size="small" aria-label={label} />
);
