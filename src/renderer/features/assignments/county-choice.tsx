import { Combobox, makeStyles, Option } from '@fluentui/react-components';
import { t } from '../../words/words.ts';

const useStyles = makeStyles({ county: { width: '200px', minWidth: 0, '& input': { minWidth: 0 } } });

type CountyChoiceProps = {
  /** The counties of the assignments read so far. */
  readonly counties: readonly string[];
  readonly value: string;
  readonly onChange: (county: string) => void;
};

/** A choice of county: a known one, or any name that is typed. */
export const CountyChoice = ({ counties, value, onChange }: CountyChoiceProps) => {
  const typed = value.trim().toLocaleLowerCase();
  const fitting = counties.filter((county) => county.toLocaleLowerCase().startsWith(typed));
  // After a choice the others are still offered.
  const offered = counties.some((county) => county === value) ? counties : fitting;
  return (
    <Combobox
      className={useStyles().county}
      freeform
      clearable
      aria-label={t('protocols.projects.county')}
      placeholder={t('protocols.projects.county')}
      value={value}
      selectedOptions={counties.includes(value) ? [value] : []}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
      onOptionSelect={(_, { optionText }) => onChange(optionText ?? '')}
    >
      {offered.map((county) => (
        <Option key={county}>{county}</Option>
      ))}
      {offered.length === 0 && (
        <Option disabled text="">
          {t('protocols.projects.otherCounty')}
        </Option>
      )}
    </Combobox>
  );
};
