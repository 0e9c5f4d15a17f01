import { makeStyles, Select } from '@fluentui/react-components';

const useStyles = makeStyles({ choice: { maxWidth: '232px' } });

export type ChoiceProps = {
  readonly label: string;
  /** The entry that chooses nothing. */
  readonly all: string;
  /** How an empty value is called. */
  readonly blank: string;
  readonly values: readonly string[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
};

/** One of the values there are, or all of them. */
export const Choice = ({ label, all, blank, values, value, onChange }: ChoiceProps) => (
  <Select
    className={useStyles().choice}
    aria-label={label}
    // By position: any text may be a value, also an empty one.
    value={value === undefined ? -1 : values.indexOf(value)}
    onChange={(_, data) => onChange(values[Number(data.value)])}
  >
    <option value={-1}>{all}</option>
    {values.map((text, position) => (
      <option key={text} value={position}>
        {text || blank}
      </option>
    ))}
  </Select>
);
