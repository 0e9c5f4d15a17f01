import { makeStyles, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import type { AssignmentValues } from '../../../contract/assignments.ts';
import { useCallQuery, useCalls } from '../../queries/query.tsx';
import { Choice } from '../../ui/fields.tsx';
import { wrapping } from '../../ui/styles.ts';
import { t } from '../../words/words.ts';
import { statusName, type WorkFilter } from './assignments.tsx';

const useFilterStyles = makeStyles({
  filters: {
    ...wrapping(tokens.spacingHorizontalS),
    flexShrink: 0,
    maxWidth: '100%',
    // A field is narrower than a long name of a contractor. The open list shows the name in full.
    '& .fui-Select': { maxWidth: '176px' },
    '@media print': { display: 'none' },
  },
});

type WorkFiltersProps = {
  readonly filter: WorkFilter;
  readonly onChange: (change: WorkFilter) => void;
  /** Further filters of the page. They precede the filters of this component; `children` follow them. */
  readonly before?: ReactNode;
  readonly children?: ReactNode;
};

export const WorkFilters = ({ filter, onChange, before, children }: WorkFiltersProps) => {
  const styles = useFilterStyles();
  const { value: values } = useCallQuery(useCalls().assignments.values());
  const choice = (column: keyof AssignmentValues, label: string, all: string, nameOf = (value: string) => value) => (
    <Choice
      label={label}
      all={all}
      nameOf={nameOf}
      values={values?.[column] ?? []}
      value={filter[column]}
      onChange={(value) => onChange({ [column]: value })}
    />
  );
  return (
    <search className={styles.filters}>
      {before}
      {choice('City', t('common.city'), t('work.everyCity'))}
      {choice('Performer', t('assignment.performer'), t('work.everyPerformer'))}
      {choice('AssignmentStatus', t('assignment.status'), t('common.allStates'), statusName)}
      {children}
    </search>
  );
};
