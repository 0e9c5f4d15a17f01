import { Field, type FieldProps, makeStyles, mergeClasses, Select } from '@fluentui/react-components';

const useStyles = makeStyles({
  choice: { maxWidth: '232px' },
  field: { gridTemplateColumns: 'minmax(0, 1fr)' },
});

type SelectFieldProps<Value> = Pick<FieldProps, 'className' | 'hint' | 'size'> & {
  readonly label: string;
  /** Whether the label is visible, above the choice; default: true. Otherwise, only screen readers say it. */
  readonly isLabelled?: boolean;
  readonly values: readonly Value[];
  readonly nameOf: (value: Value) => string;
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
};

/** A choice among a few values. */
export const SelectField = <Value extends string | number>(props: SelectFieldProps<Value>) => {
  const { className, label, isLabelled = true, size = 'medium', values, nameOf, value, onChoose, ...field } = props;
  const styles = useStyles();
  const select = (
    <Select
      {...(!isLabelled && { className, 'aria-label': label })}
      size={size}
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
  );
  return isLabelled ? (
    <Field className={mergeClasses(styles.field, className)} label={label} {...field}>
      {select}
    </Field>
  ) : (
    select
  );
};

type ChoiceProps<Value> = Pick<SelectFieldProps<Value>, 'label' | 'isLabelled' | 'values' | 'nameOf'> & {
  readonly all: string;
  readonly value: Value | undefined;
  readonly onChange: (value: Value | undefined) => void;
};

/** A choice of one value, or of all values (`undefined`), for filters. A value can be an empty text. */
export const Choice = <Value extends string>(props: ChoiceProps<Value>) => {
  const { label, isLabelled = false, all, nameOf, values: found, value, onChange } = props;
  // The chosen value stays in the list when no record has it any more.
  const values = value === undefined || found.includes(value) ? found : [...found, value];
  return (
    <SelectField
      className={useStyles().choice}
      label={label}
      isLabelled={isLabelled}
      // Values are identified by position, because any text can be a value, even an empty one.
      values={[-1, ...values.keys()]}
      nameOf={(at) => (values[at] === undefined ? all : nameOf(values[at]))}
      value={value === undefined ? -1 : values.indexOf(value)}
      onChoose={(at) => onChange(values[at])}
    />
  );
};
