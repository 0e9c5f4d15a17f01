import { Checkbox, Field, Input, makeStyles, tokens } from '@fluentui/react-components';
import { DayFields } from '../../domain/date-field.tsx';
import { filterColumns, type ProtocolFilter } from '../../queries/protocols.ts';
import { type TextKey, t } from '../../words/words.ts';

const useStyles = makeStyles({
  input: { minWidth: 0 },
  check: { margin: `calc(-1 * ${tokens.spacingVerticalXS}) calc(-1 * ${tokens.spacingHorizontalS})` },
});

const columnNames = {
  Address: 'common.address',
  City: 'common.city',
  ZipCode: 'protocols.column.ZipCode',
  FacilityId: 'common.facility',
} as const satisfies Readonly<Record<(typeof filterColumns)[number], TextKey>>;

type ProtocolFiltersProps = {
  readonly filter: ProtocolFilter;
  readonly onChange: (filter: ProtocolFilter) => void;
};

export const ProtocolFilters = ({ filter, onChange }: ProtocolFiltersProps) => {
  const styles = useStyles();
  return (
    <>
      {filterColumns.map((column) => (
        <Field key={column} label={t(columnNames[column])} size="small">
          <Input
            className={styles.input}
            size="small"
            value={filter[column]}
            placeholder={t('protocols.filter.placeholder')}
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
        label={t('offline.title')}
        checked={filter.availableOffline}
        onChange={(_, { checked }) => onChange({ ...filter, availableOffline: checked === true })}
      />
    </>
  );
};
