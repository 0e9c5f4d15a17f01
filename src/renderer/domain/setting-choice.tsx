import { Field, Input, makeStyles, Switch, tokens } from '@fluentui/react-components';
import { useRef, useState } from 'react';
import type { ManagedPath, Preferences } from '../../contract/preferences.ts';
import { useAction, useDesk, useSnapshot } from '../state/store.tsx';
import { SelectField } from '../ui/fields.tsx';
import { t } from '../words/words.ts';
import { managedField, useManaged } from './managed.tsx';

const useStyles = makeStyles({
  field: { width: '100%', maxWidth: '340px', gridTemplateColumns: 'minmax(0, 1fr)' },
  // Aligns the note below a switch with the label, which begins after the switch and the space around it.
  remark: { paddingInlineStart: '60px' },
  managed: { color: tokens.colorNeutralForegroundDisabled, '& input': { cursor: 'not-allowed' } },
});

type SettingChoiceProps<Value> = {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly path?: ManagedPath | undefined;
  readonly value: Value;
  readonly values: readonly Value[];
  readonly nameOf: (value: Value) => string;
  readonly onChoose: (value: Value) => void;
};

const orderOf = (value: string | number): number => (typeof value === 'number' ? value : 0);

/**
 * A choice of a few values that takes effect immediately. The current value is offered even if it is not one of
 * `values`. If the organisation manages the setting, it is read-only.
 */
export const SettingChoice = <Value extends string | number>(props: SettingChoiceProps<Value>) => {
  const { path, hint, values, ...choice } = props;
  const styles = useStyles();
  const field = { className: styles.field, ...(hint !== undefined && { hint }) };
  const { label, value, nameOf } = choice;
  if (useManaged(path))
    return (
      <Field label={label} {...field} {...managedField()}>
        <Input readOnly value={nameOf(value)} />
      </Field>
    );
  const all = values.includes(value) ? values : [...values, value].sort((a, b) => orderOf(a) - orderOf(b));
  return <SelectField {...choice} {...field} values={all} />;
};

/**
 * Returns a preference and a function that changes it. A new value is returned even before it is stored, so that the
 * next change builds on it. Values are stored one at a time, in the order in which they were chosen.
 */
export const usePreference = <Name extends keyof Preferences>(
  name: Name,
): readonly [Preferences[Name], (value: Preferences[Name]) => void] => {
  const { preferences } = useDesk();
  const kept = useSnapshot((snapshot) => snapshot.preferences[name]);
  const [chosen, setChosen] = useState<{ readonly value: Preferences[Name] }>();
  const before = useRef<Promise<unknown>>(Promise.resolve());
  const set = useAction((value: Preferences[Name]) => {
    const choice = { value };
    setChosen(choice);
    const change = before.current.then(() => preferences.set({ [name]: value }));
    before.current = change.catch(() => {});
    return change.finally(() => setChosen((latest) => (latest === choice ? undefined : latest)));
  });
  return [chosen === undefined ? kept : chosen.value, set.run];
};

type ChoiceName = Extract<
  keyof Preferences,
  'cacheLimitMegabytes' | 'concurrency' | 'dateFormat' | 'formats' | 'language' | 'leaveRoom' | 'logLevel' | 'timeBase'
>;

type PreferenceChoiceProps<Name extends ChoiceName> = {
  readonly name: Name;
  readonly hint?: string | undefined;
  readonly path?: ManagedPath;
  readonly values: readonly Preferences[Name][];
  readonly nameOf: (value: Preferences[Name]) => string;
};

export const PreferenceChoice = <Name extends ChoiceName>({ name, ...choice }: PreferenceChoiceProps<Name>) => {
  const [value, set] = usePreference(name);
  return <SettingChoice label={t(`settings.${name}`)} {...choice} value={value} onChoose={set} />;
};

type SettingSwitchProps = {
  readonly label: string;
  readonly hint?: string;
  readonly path: ManagedPath;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
};

/** A setting that is on or off and takes effect immediately. If the organisation manages it, it is read-only. */
export const SettingSwitch = ({ label, hint, path, checked, onChange }: SettingSwitchProps) => {
  const styles = useStyles();
  const managed = useManaged(path);
  const remark = (children: string) => ({ children, className: styles.remark });
  return (
    <Field {...(hint !== undefined && { hint: remark(hint) })} {...(managed && managedField(remark))}>
      <Switch
        label={label}
        checked={checked}
        // The switch is not `disabled`, so that it can take the focus and screen readers read the note that the
        // organisation manages the setting.
        {...(managed ? { 'aria-disabled': true, className: styles.managed } : {})}
        onChange={(_, change) => managed || onChange(change.checked)}
      />
    </Field>
  );
};
