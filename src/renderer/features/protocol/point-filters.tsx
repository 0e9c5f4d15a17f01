import { Button, Checkbox, makeStyles, tokens } from '@fluentui/react-components';
import { useRef } from 'react';
import type { InspectionPoint } from '../../../contract/resources.ts';
import { severityName, worstFirst } from '../../domain/protocols/severity.ts';
import { Choice } from '../../ui/choice.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { t } from '../../words/words.ts';
import { choicesOf, everyPoint, type PointFilter } from './point-filter.ts';

const useStyles = makeStyles({
  filters: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    '@media print': { display: 'none' },
  },
});

type PointFiltersProps = {
  readonly points: readonly InspectionPoint[];
  readonly filter: PointFilter;
  readonly onChange: (filter: PointFilter) => void;
};

/** Narrows the inspection points down by text, severity, answer and picture. */
export const PointFilters = ({ points, filter, onChange }: PointFiltersProps) => {
  const styles = useStyles();
  const { text, severity, answer, withPicture } = filter;
  const filters = useRef<HTMLDivElement>(null);
  const clear = (): void => {
    // The button disappears, and the focus stays with the filters.
    filters.current?.querySelector('input')?.focus();
    onChange(everyPoint);
  };
  const isNarrowed = text !== '' || severity !== undefined || answer !== undefined || withPicture;
  return (
    <search ref={filters} className={styles.filters}>
      <SearchField
        label={t('protocol.filter.search')}
        value={text}
        onChange={(_, { value }) => onChange({ ...filter, text: value })}
      />
      <Choice
        label={t('protocol.filter.severity')}
        all={t('protocol.filter.everySeverity')}
        nameOf={severityName}
        values={worstFirst(choicesOf(points, 'Severity'), (value) => value)}
        value={severity}
        onChange={(value) => onChange({ ...filter, severity: value })}
      />
      <Choice
        label={t('protocol.filter.answer')}
        all={t('protocol.filter.everyAnswer')}
        nameOf={(value) => value || t('protocol.filter.noAnswer')}
        values={choicesOf(points, 'Answer')}
        value={answer}
        onChange={(value) => onChange({ ...filter, answer: value })}
      />
      <Checkbox
        label={t('protocol.filter.withPicture')}
        checked={withPicture}
        onChange={(_, { checked }) => onChange({ ...filter, withPicture: checked === true })}
      />
      {isNarrowed && (
        <Button appearance="subtle" onClick={clear}>
          {t('common.clearFilters')}
        </Button>
      )}
    </search>
  );
};
