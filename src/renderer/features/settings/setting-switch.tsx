import { Field, makeStyles, Switch, tokens } from '@fluentui/react-components';
import type { ManagedPath } from '../../../contract/preferences.ts';
import { managedField, useManaged } from '../../domain/managed/managed.tsx';

const useStyles = makeStyles({
  // Below the label, after the width of the switch and the room around it.
  remark: { paddingInlineStart: '60px' },
  managed: { color: tokens.colorNeutralForegroundDisabled, '& input': { cursor: 'not-allowed' } },
});

type SettingSwitchProps = {
  readonly label: string;
  readonly hint?: string;
  /** Where it is in the settings. */
  readonly path: ManagedPath;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
};

/** A setting that is on or off and takes effect at once. What the organisation has chosen can only be read. */
export const SettingSwitch = ({ label, hint, path, checked, onChange }: SettingSwitchProps) => {
  const styles = useStyles();
  const managed = useManaged(path);
  const remark = (children: string) => ({ children, className: styles.remark });
  return (
    <Field {...(hint !== undefined && { hint: remark(hint) })} {...(managed && managedField(remark))}>
      <Switch
        label={label}
        checked={checked}
        // It stays in the order of focus, so that everybody learns who has set it.
        {...(managed ? { 'aria-disabled': true, className: styles.managed } : {})}
        onChange={(_, change) => managed || onChange(change.checked)}
      />
    </Field>
  );
};
