import { makeStyles, Select } from '@fluentui/react-components';

const useStyles = makeStyles({ choice: { maxWidth: '232px' } });

export type ChoiceProps = {
  readonly label: string;
  /** The entry that chooses nothing. */
  readonly all: string;
  /** What a value is called; an empty one has no name of its own. */
  readonly nameOf: (value: string) => string;
  readonly values: readonly string[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
};

/** One of the values there are, or all of them. */
export const Choice = ({ label, all, nameOf, values: found, value, onChange }: ChoiceProps) => {
  // What was chosen stays so, also when nothing has it any more.
  const values = value === undefined || found.includes(value) ? found : [...found, value];
  return (
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
          {nameOf(text)}
        </option>
      ))}
    </Select>
  );
};
