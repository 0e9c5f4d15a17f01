import { Button, Field, Input, makeStyles, Spinner, tokens } from '@fluentui/react-components';
import { type FormEvent, useState } from 'react';
import {
  Addresses,
  addressRefusal,
  type Connection,
  type ConnectionCheck,
  isScope,
} from '../../../contract/connection.ts';
import { DeskError, type ErrorData, toErrorData } from '../../../contract/errors.ts';
import { useAction, useDesk, useSnapshot } from '../../state/store.tsx';
import { useFocusOnMount, useIsMounted } from '../../ui/hooks.ts';
import { stacked, wrapping } from '../../ui/styles.ts';
import { t } from '../../words/words.ts';
import { ErrorMessage, errorSentences } from '../errors.tsx';
import { managedField } from '../managed.tsx';

const useStyles = makeStyles({
  form: {
    ...stacked(tokens.spacingVerticalM),
    maxWidth: '480px',
    '& input': { minWidth: 0 },
  },
  actions: {
    ...wrapping(tokens.spacingHorizontalS),
    paddingTop: tokens.spacingVerticalS,
  },
  summary: {
    cursor: 'pointer',
    width: 'fit-content',
    borderRadius: tokens.borderRadiusMedium,
    color: tokens.colorNeutralForeground1,
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '2px' },
  },
  advanced: { paddingTop: tokens.spacingVerticalM },
});

const fieldNames = ['baseUrl', 'authUrl', 'clientId', 'scope'] as const;
type FieldName = (typeof fieldNames)[number];

const isFieldName = (name: unknown): name is FieldName => fieldNames.some((known) => known === name);

const placeholders: Readonly<Record<FieldName, string>> = {
  baseUrl: 'https://api.example.com',
  authUrl: 'https://login.example.com',
  clientId: '',
  scope: 'openid offline_access',
};

const remark = (name: FieldName, errors: FormErrors, found: ConnectionCheck | undefined) => {
  const error = errors[name];
  if (error !== undefined) return { validationMessage: fieldErrorText(name, error) };
  if (found === undefined || name === 'clientId' || name === 'scope') return {};
  const finding = found[name];
  return finding === undefined
    ? { validationState: 'success' as const, validationMessage: t('connection.found.answers') }
    : { validationState: 'warning' as const, validationMessage: findingText(finding) };
};

type ConnectionFormProps = {
  readonly connection?: Connection | undefined;
  readonly onDone?: () => void;
  readonly onCancel: () => void;
};

/**
 * The form for the connection to a service: two addresses, this app's client ID and, for some services, a scope. The
 * service's administrator knows these values.
 */
export const ConnectionForm = ({ connection, onDone, onCancel }: ConnectionFormProps) => {
  const styles = useStyles();
  const desk = useDesk();
  const managed = useSnapshot(({ office }) => office.connection);
  const form = useFocusOnMount<HTMLFormElement>('input');
  const isOpen = useIsMounted();
  const [errors, setErrors] = useState<FormErrors>({});
  const [found, setFound] = useState<ConnectionCheck>();
  const [failure, setFailure] = useState<ErrorData>();

  /** Moves the focus to the first field with a message. In a small window, the field can be out of view. */
  const goTo = (remarks: Readonly<Partial<Record<FieldName, unknown>>>): void => {
    const first = fieldNames.find((name) => remarks[name] !== undefined);
    const input = form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`);
    // Opens the section of the field, because a field in a collapsed section cannot take the focus.
    const part = input?.closest('details');
    if (part) part.open = true;
    input?.focus();
  };
  const show = (wrong: FormErrors): void => {
    setErrors(wrong);
    goTo(wrong);
  };
  const fail = (error: unknown): void => {
    const wrong = fieldError(error);
    if (wrong === undefined) setFailure(toErrorData(error));
    else show(wrong);
  };
  const connect = useAction(async (input: Addresses, { anyway }: { readonly anyway: boolean }) => {
    const check = anyway ? {} : await desk.connection.check({ baseUrl: input.baseUrl, authUrl: input.authUrl });
    // The user may have cancelled during the check.
    if (!isOpen.current) return;
    if (check.baseUrl || check.authUrl) {
      setFound(check);
      return goTo(check);
    }
    await desk.connection.set(input);
    onDone?.();
  }, fail);

  const send = (anyway: boolean): void => {
    if (form.current === null || connect.busy) return;
    const checked = checkConnection(Object.fromEntries(new FormData(form.current)));
    setFailure(undefined);
    setFound(undefined);
    show(checked.errors);
    if (checked.connection) connect.run(checked.connection, { anyway });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send(false);
  };
  const field = (name: FieldName, isRequired: boolean) => {
    const isManaged = managed[name] !== undefined;
    return (
      <Field
        label={t(`connection.field.${name}`)}
        required={isRequired}
        {...(name === 'scope' && { hint: t('connection.scopeHint') })}
        {...(isManaged && managedField())}
        {...remark(name, errors, found)}
      >
        <Input
          name={name}
          type={name === 'baseUrl' || name === 'authUrl' ? 'url' : 'text'}
          placeholder={placeholders[name]}
          readOnly={isManaged}
          defaultValue={managed[name] ?? connection?.[name] ?? ''}
          autoComplete="off"
          spellCheck={false}
          translate="no"
        />
      </Field>
    );
  };
  return (
    // `found` describes the addresses that were checked, so any input clears it.
    <form ref={form} className={styles.form} onSubmit={submit} onInput={() => setFound(undefined)} noValidate>
      {field('baseUrl', true)}
      {field('authUrl', true)}
      {field('clientId', true)}
      {/* The scope is in a collapsed section, because only some services need one for the sign-in. */}
      <details open={(managed.scope ?? connection?.scope) !== undefined}>
        <summary className={styles.summary}>{t('connection.advanced')}</summary>
        <div className={styles.advanced}>{field('scope', false)}</div>
      </details>
      {failure !== undefined && <ErrorMessage error={failure} />}
      <div className={styles.actions}>
        <Button type="submit" appearance="primary" disabledFocusable={connect.busy}>
          {found === undefined ? t('connection.connect') : t('common.tryAgain')}
        </Button>
        {found !== undefined && <Button onClick={() => send(true)}>{t('connection.anyway')}</Button>}
        <Button onClick={onCancel}>{t('common.cancel')}</Button>
        {connect.busy && <Spinner size="tiny" label={t('connection.checking')} />}
      </div>
    </form>
  );
};

/** The texts for network errors that a user can act on, by the system's error code. */
const reasons = {
  ENOTFOUND: 'connection.found.noHost',
  EAI_AGAIN: 'connection.found.noHost',
  ECONNREFUSED: 'connection.found.refused',
  EHOSTUNREACH: 'connection.found.noWay',
  ENETUNREACH: 'connection.found.noWay',
} as const;

const isKnown = (cause: unknown): cause is keyof typeof reasons => Object.hasOwn(reasons, String(cause));

/** Returns a sentence or two that say why an address did not respond as expected. */
const findingText = (error: ErrorData): string => {
  if (error.code === 'service/timeout') return t('connection.found.silent');
  const { cause } = error.details;
  if (error.code === 'service/unreachable' && isKnown(cause)) return t(reasons[cause]);
  return error.code === 'service/unreachable' ? t('connection.found.unreachable') : errorSentences(error);
};

type FormErrors = Readonly<Partial<Record<FieldName, ErrorData>>>;

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/**
 * Converts a typed value to an address. Adds `https://` if the scheme is missing, because users usually leave it out.
 */
const address = (value: unknown): string => {
  const typed = text(value);
  return typed === '' || typed.includes('://') ? typed : `https://${typed}`;
};

/** Parses the form's values into a connection, or returns an error for each value that is not accepted. */
const checkConnection = (
  values: Readonly<Record<string, unknown>>,
): { readonly connection?: Addresses; readonly errors: FormErrors } => {
  const scope = text(values.scope).replaceAll(/\s+/g, ' ');
  const given = { baseUrl: address(values.baseUrl), authUrl: address(values.authUrl), clientId: text(values.clientId) };
  const parsed = Addresses.safeParse({
    ...given,
    ...(scope !== '' && { scope }),
  });
  const wrong = parsed.error?.issues.map(({ path }) => path[0]).filter(isFieldName) ?? [];
  if (scope !== '' && !isScope(scope)) wrong.push('scope');
  const errors: FormErrors = Object.assign(
    {},
    ...wrong.map((field) => fieldError(new DeskError('input/invalid', 'not accepted', { details: { field } }))),
    ...(['baseUrl', 'authUrl'] as const).map((name) => fieldError(addressRefusal(name, given[name]))),
  );
  return parsed.success && Object.keys(errors).length === 0 ? { connection: parsed.data, errors } : { errors };
};

/** Returns `error` as the error of a field if `details.field` names a field of the form; otherwise undefined. */
const fieldError = (error: unknown): FormErrors | undefined => {
  if (error === undefined) return undefined;
  const data = toErrorData(error);
  const { field } = data.details;
  if (!isFieldName(field)) return undefined;
  return { [field]: data };
};

const fieldErrorText = (field: FieldName, error: ErrorData): string =>
  error.code === 'input/invalid' ? t(`connection.wrong.${field}`) : errorSentences(error);
