import { Button, Field, Input, makeStyles, tokens } from '@fluentui/react-components';
import { type FormEvent, useState } from 'react';
import type { Connection } from '../../../contract/models.ts';
import { useDesk } from '../../app/context.tsx';
import { useAction } from '../../app/use-action.ts';
import { useReport } from '../../app/use-report.ts';
import { useFocusOnMount } from '../../ui/use-focus-on-mount.ts';
import { t } from '../../words/words.ts';
import { checkConnection, type FieldName, type FormErrors, fieldError } from './check-connection.ts';

const useStyles = makeStyles({
  form: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM, maxWidth: '480px' },
  actions: { display: 'flex', gap: tokens.spacingHorizontalS, paddingTop: tokens.spacingVerticalS },
});

type FieldWords = { readonly name: FieldName; readonly label: string; readonly placeholder: string };

const fields: readonly FieldWords[] = [
  { name: 'baseUrl', label: t('connection.field.baseUrl'), placeholder: 'https://api.example.com' },
  { name: 'authUrl', label: t('connection.field.authUrl'), placeholder: 'https://login.example.com' },
  { name: 'clientId', label: t('connection.field.clientId'), placeholder: '' },
];

export type ConnectionFormProps = {
  readonly connection?: Connection | undefined;
  readonly onDone?: () => void;
  readonly onCancel: () => void;
};

/** Where the service is: its two addresses and this app's client ID, as its administrator gives them. */
export const ConnectionForm = ({ connection, onDone, onCancel }: ConnectionFormProps) => {
  const styles = useStyles();
  const desk = useDesk();
  const report = useReport();
  const form = useFocusOnMount<HTMLFormElement>('input');
  const [errors, setErrors] = useState<FormErrors>({});
  const show = (found: FormErrors): void => {
    setErrors(found);
    const first = fields.find(({ name }) => found[name] !== undefined);
    if (first) form.current?.querySelector<HTMLInputElement>(`[name="${first.name}"]`)?.focus();
  };
  const connect = useAction(
    async (input: Pick<Connection, FieldName>) => {
      await desk.connection.set(input);
      onDone?.();
    },
    (error) => {
      const found = fieldError(error);
      if (found === undefined) report(error);
      else show(found);
    },
  );
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const checked = checkConnection(Object.fromEntries(new FormData(event.currentTarget)));
    show(checked.errors);
    if (checked.connection) connect.run(checked.connection);
  };
  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      {fields.map(({ name, label, placeholder }) => (
        <Field
          key={name}
          label={label}
          required
          {...(errors[name] === undefined ? {} : { validationMessage: errors[name] })}
        >
          <Input
            name={name}
            type={name === 'clientId' ? 'text' : 'url'}
            placeholder={placeholder}
            defaultValue={connection?.[name] ?? ''}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
      ))}
      <div className={styles.actions}>
        <Button type="submit" appearance="primary" disabledFocusable={connect.busy}>
          {t('connection.connect')}
        </Button>
        <Button onClick={onCancel}>{t('common.cancel')}</Button>
      </div>
    </form>
  );
};
