import { makeStyles, Select } from '@fluentui/react-components';

const useStyles = makeStyles({ choice: { maxWidth: '232px' } });

type ChoiceProps = {
  readonly label: string;
  /** The entry for no choice. */
  readonly all: string;
  /** The name of a value, which may be empty. */
  readonly nameOf: (value: string) => string;
  readonly values: readonly string[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
};

/** A choice of one value, or of all. */
export const Choice = ({ label, all, nameOf, values: found, value, onChange }: ChoiceProps) => {
  // The chosen value stays in the list when no record has it any more.
  const values = value === undefined || found.includes(value) ? found : [...found, value];
  return (
    <Select
      className={useStyles().choice}
      aria-label={label}
      // By position: any text may be a value, even an empty one.
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
