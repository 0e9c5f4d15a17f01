import { Field, makeStyles, Select } from '@fluentui/react-components';

const useStyles = makeStyles({
  // As narrow as its container, even if the longest choice is wider.
  field: { width: '100%', maxWidth: '340px', gridTemplateColumns: 'minmax(0, 1fr)' },
});

type SettingChoiceProps<Value extends string | number> = {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly name: string }[];
  readonly onChoose: (value: Value) => void;
};

/** A choice of a few values that takes effect at once. */
export const SettingChoice = <Value extends string | number>(props: SettingChoiceProps<Value>) => {
  const { label, hint, value, choices, onChoose } = props;
  return (
    <Field className={useStyles().field} label={label} {...(hint !== undefined && { hint })}>
      <Select
        value={String(value)}
        onChange={(_, chosen) => {
          const choice = choices.find((known) => String(known.value) === chosen.value);
          if (choice !== undefined) onChoose(choice.value);
        }}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={String(choice.value)}>
            {choice.name}
          </option>
        ))}
      </Select>
    </Field>
  );
};
