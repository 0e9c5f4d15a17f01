import { Checkbox, Field, Input, makeStyles, tokens } from '@fluentui/react-components';
import type { Connection } from '../../../contract/connection.ts';
import { t } from '../../words/words.ts';
import { managedField } from '../managed/managed.tsx';
import { type FormErrors, fieldErrorText } from './check-connection.ts';

const useStyles = makeStyles({
  summary: {
    cursor: 'pointer',
    width: 'fit-content',
    borderRadius: tokens.borderRadiusMedium,
    color: tokens.colorNeutralForeground1,
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '2px' },
  },
  fields: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalM,
    paddingTop: tokens.spacingVerticalM,
  },
  // Aligns it with the text of the fields above.
  checkbox: { marginLeft: `calc(-1 * ${tokens.spacingHorizontalS})` },
});

type Shown = { readonly [Field in 'scope' | 'sendClientIdOnRefresh']?: Connection[Field] };

type AdvancedFieldsProps = {
  readonly connection: Shown;
  /** What the organisation has set. */
  readonly managed: Shown;
  readonly errors: FormErrors;
};

/** Settings that only some services need for the sign-in. Open if one of them is set. */
export const AdvancedFields = ({ connection, managed, errors }: AdvancedFieldsProps) => {
  const styles = useStyles();
  const { scope, sendClientIdOnRefresh } = connection;
  return (
    <details open={scope !== undefined || sendClientIdOnRefresh === true}>
      <summary className={styles.summary}>{t('connection.advanced')}</summary>
      <div className={styles.fields}>
        <Field
          label={t('connection.field.scope')}
          hint={t('connection.scopeHint')}
          {...(managed.scope !== undefined && managedField())}
          {...(errors.scope === undefined ? {} : { validationMessage: fieldErrorText('scope', errors.scope) })}
        >
          <Input
            name="scope"
            translate="no"
            placeholder="openid offline_access"
            readOnly={managed.scope !== undefined}
            defaultValue={scope ?? ''}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <Field
          hint={t('connection.clientIdOnRefreshHint')}
          {...(managed.sendClientIdOnRefresh !== undefined && managedField())}
        >
          <Checkbox
            className={styles.checkbox}
            name="sendClientIdOnRefresh"
            label={t('connection.clientIdOnRefresh')}
            {...(managed.sendClientIdOnRefresh === undefined
              ? { defaultChecked: sendClientIdOnRefresh === true }
              : { checked: managed.sendClientIdOnRefresh, 'aria-disabled': true })}
          />
        </Field>
      </div>
    </details>
  );
};
