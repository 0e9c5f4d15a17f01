import { makeStyles, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { lines } from './lines.ts';

const useStyles = makeStyles({
  facts: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalXXXL}`,
    margin: 0,
  },
  fact: { minWidth: 0 },
  name: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  value: {
    ...lines(12),
    margin: 0,
  },
});

type Fact = { readonly name: string; readonly value: ReactNode };

/** Names with their values, side by side as far as there is room. */
export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => {
  const styles = useStyles();
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value }) => (
        <div key={name} className={styles.fact}>
          <dt className={styles.name}>{name}</dt>
          <dd className={styles.value}>{value === '' ? '–' : value}</dd>
        </div>
      ))}
    </dl>
  );
};
