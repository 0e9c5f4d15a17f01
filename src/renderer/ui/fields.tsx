import { Field, type FieldProps, makeStyles, mergeClasses, Select } from '@fluentui/react-components';

const useStyles = makeStyles({
  choice: { maxWidth: '232px' },
  field: { gridTemplateColumns: 'minmax(0, 1fr)' },
});

type ChoiceProps<Value extends string> = {
  readonly label: string;
  /** Whether the label is visible, above the choice. Default: only screen readers say it. */
  readonly isLabelled?: boolean | undefined;
  readonly all: string;
  /** Returns the name of a value. The value itself can be an empty text. */
  readonly nameOf: (value: Value) => string;
  readonly values: readonly Value[];
  readonly value: Value | undefined;
  readonly onChange: (value: Value | undefined) => void;
};

/** A choice of one value, or of all values (`undefined`). */
export const Choice = <Value extends string>(props: ChoiceProps<Value>) => {
  const { label, isLabelled, all, nameOf, values: found, value, onChange } = props;
  const styles = useStyles();
  // The chosen value stays in the list when no record has it any more.
  const values = value === undefined || found.includes(value) ? found : [...found, value];
  const select = (
    <Select
      className={styles.choice}
      aria-label={isLabelled ? undefined : label}
      // Options are identified by position, because any text may be a value, even an empty one.
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
  return isLabelled ? <Field label={label}>{select}</Field> : select;
};

type SelectFieldProps<Value> = Pick<FieldProps, 'className' | 'hint'> & {
  readonly label: string;
  readonly values: readonly Value[];
  readonly nameOf: (value: Value) => string;
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
};

export const SelectField = <Value extends string | number>(props: SelectFieldProps<Value>) => {
  const { className, values, nameOf, value, onChoose, ...field } = props;
  return (
    <Field className={mergeClasses(useStyles().field, className)} {...field}>
      <Select
        value={String(value)}
        onChange={(_, { value: chosen }) => {
          const found = values.find((one) => String(one) === chosen);
          if (found !== undefined) onChoose(found);
        }}
      >
        {values.map((one) => (
          <option key={one} value={String(one)}>
            {nameOf(one)}
          </option>
        ))}
      </Select>
    </Field>
  );
};
