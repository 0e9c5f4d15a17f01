import { Checkbox, Field, Input, makeStyles, tokens } from '@fluentui/react-components';
import { LONGEST_SEARCH } from '../../../contract/search.ts';
import { DayFields } from '../../domain/date-field.tsx';
import { FilterBar } from '../../domain/filter-bar.tsx';
import { countFilters, filterColumns, noProtocolFilter, type ProtocolFilter } from '../../queries/protocols.ts';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({
  // Lets an input shrink to its column of the grid.
  input: { minWidth: 0 },
  // As high as the inputs beside it.
  check: { margin: `-${tokens.spacingVerticalXS} -${tokens.spacingHorizontalS}` },
});

/** The key of each column's name. */
const names = {
  Address: 'common.address',
  City: 'common.city',
  ZipCode: 'protocols.column.ZipCode',
  FacilityId: 'common.facility',
} as const;

type ProtocolFilterBarProps = {
  readonly filter: ProtocolFilter;
  readonly onChange: (filter: ProtocolFilter) => void;
};

/** The filters of the protocols: words of each column, dates, offline data. */
export const ProtocolFilterBar = ({ filter, onChange }: ProtocolFilterBarProps) => {
  const styles = useStyles();
  return (
    <FilterBar count={countFilters(filter)} onClear={() => onChange(noProtocolFilter)}>
      {filterColumns.map((column) => (
        <Field key={column} label={t(names[column])} size="small">
          <Input
            className={styles.input}
            size="small"
            value={filter[column]}
            placeholder={t('protocols.filter.placeholder')}
            maxLength={LONGEST_SEARCH}
            onChange={(_, { value }) => onChange({ ...filter, [column]: value })}
          />
        </Field>
      ))}
      <DayFields
        size="small"
        nameOf={(bound) => t(`protocols.filter.${bound}`)}
        days={filter}
        onChange={(change) => onChange({ ...filter, ...change })}
      />
      <Checkbox
        className={styles.check}
        label={t('protocols.filter.availableOffline')}
        checked={filter.availableOffline}
        onChange={(_, { checked }) => onChange({ ...filter, availableOffline: checked === true })}
      />
    </FilterBar>
  );
};
