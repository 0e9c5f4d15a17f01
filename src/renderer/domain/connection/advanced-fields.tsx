import { Checkbox, Field, Input, makeStyles, tokens } from '@fluentui/react-components';
import type { Connection } from '../../../contract/connection.ts';
import { t } from '../../words/words.ts';
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

type AdvancedFieldsProps = {
  readonly connection: Connection | undefined;
  readonly errors: FormErrors;
};

/** Settings that only some services need for the sign-in. Open if one of them is set. */
export const AdvancedFields = ({ connection, errors }: AdvancedFieldsProps) => {
  const styles = useStyles();
  const { scope, sendClientIdOnRefresh } = connection ?? {};
  return (
    <details open={scope !== undefined || sendClientIdOnRefresh === true}>
      <summary className={styles.summary}>{t('connection.advanced')}</summary>
      <div className={styles.fields}>
        <Field
          label={t('connection.field.scope')}
          hint={t('connection.scopeHint')}
          {...(errors.scope === undefined ? {} : { validationMessage: fieldErrorText('scope', errors.scope) })}
        >
          <Input
            name="scope"
            translate="no"
            placeholder="openid offline_access"
            defaultValue={scope ?? ''}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <Field hint={t('connection.clientIdOnRefreshHint')}>
          <Checkbox
            className={styles.checkbox}
            name="sendClientIdOnRefresh"
            label={t('connection.clientIdOnRefresh')}
            defaultChecked={sendClientIdOnRefresh === true}
          />
        </Field>
      </div>
    </details>
  );
};
