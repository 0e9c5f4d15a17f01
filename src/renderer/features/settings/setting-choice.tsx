import { Field, Input, makeStyles, Select } from '@fluentui/react-components';
import type { ManagedPath } from '../../../contract/preferences.ts';
import { managedField, useManaged } from '../../domain/managed.tsx';

const useStyles = makeStyles({
  // As narrow as its container, even if the longest choice is wider.
  field: { width: '100%', maxWidth: '340px', gridTemplateColumns: 'minmax(0, 1fr)' },
});

type SettingChoiceProps<Value extends string | number> = {
  readonly label: string;
  /** What the value means; shown even if it cannot be changed. */
  readonly hint?: string | undefined;
  /** Where it is in the settings, if an organisation can make it. */
  readonly path?: ManagedPath;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly name: string }[];
  readonly onChoose: (value: Value) => void;
};

/** A choice of a few values that takes effect at once. What the organisation has chosen can only be read. */
export const SettingChoice = <Value extends string | number>(props: SettingChoiceProps<Value>) => {
  const { label, hint, path, value, choices, onChoose } = props;
  const styles = useStyles();
  const remark = hint !== undefined && { hint };
  if (useManaged(path)) {
    const name = choices.find((choice) => choice.value === value)?.name ?? String(value);
    return (
      <Field className={styles.field} label={label} {...remark} {...managedField()}>
        <Input readOnly value={name} />
      </Field>
    );
  }
  return (
    <Field className={styles.field} label={label} {...remark}>
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
