/** What the connection form accepts, by the rules of the contract, before main is asked. */

import { addressRefusal, Connection, isScope } from '../../../contract/connection.ts';
import { DeskError, type ErrorData, toErrorData } from '../../../contract/errors.ts';
import { t } from '../../words/words.ts';
import { errorSentences } from '../errors/error-words.ts';

export type FieldName = 'baseUrl' | 'authUrl' | 'clientId' | 'scope';

/** The error of each field whose value is not accepted. */
export type FormErrors = Readonly<Partial<Record<FieldName, ErrorData>>>;

const Input = Connection.omit({ sample: true });
export type ConnectionInput = Omit<Connection, 'sample'>;

const fieldNames: readonly unknown[] = ['baseUrl', 'authUrl', 'clientId', 'scope'] satisfies FieldName[];

const isFieldName = (name: unknown): name is FieldName => fieldNames.includes(name);

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** The connection that the values of a form describe, or what is wrong with them. Spaces around a value are ignored. */
export const checkConnection = (
  values: Readonly<Record<string, unknown>>,
): { readonly connection?: ConnectionInput; readonly errors: FormErrors } => {
  const scope = text(values.scope).replaceAll(/\s+/g, ' ');
  const given = { baseUrl: text(values.baseUrl), authUrl: text(values.authUrl), clientId: text(values.clientId) };
  const parsed = Input.safeParse({
    ...given,
    ...(scope !== '' && { scope }),
    // The form's data has a checkbox only if it is checked.
    ...(values.sendClientIdOnRefresh !== undefined && { sendClientIdOnRefresh: true }),
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

/** An error as that of the field it names; undefined if it names none. */
export const fieldError = (error: unknown): FormErrors | undefined => {
  if (error === undefined) return undefined;
  const data = toErrorData(error);
  const { field } = data.details;
  if (!isFieldName(field)) return undefined;
  return { [field]: data };
};

/** What to do about the value of `field`. */
export const fieldErrorText = (field: FieldName, error: ErrorData): string =>
  error.code === 'input/invalid' ? t(`connection.wrong.${field}`) : errorSentences(error);
