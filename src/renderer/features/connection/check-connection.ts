/** What the connection form accepts, checked with the contract's own schema before main is asked. */
import { errorText } from '../../../contract/error-text.ts';
import { toErrorData } from '../../../contract/errors.ts';
import { Connection } from '../../../contract/models.ts';
import { addressRefusal } from '../../../contract/service-address.ts';
import { t } from '../../words/words.ts';

export type FieldName = 'baseUrl' | 'authUrl' | 'clientId';

/** One sentence for each field that needs another value. */
export type FormErrors = Readonly<Partial<Record<FieldName, string>>>;

const Input = Connection.omit({ sample: true });

const wording: Readonly<Record<FieldName, string>> = {
  baseUrl: t('connection.wrong.baseUrl'),
  authUrl: t('connection.wrong.authUrl'),
  clientId: t('connection.wrong.clientId'),
};

const isFieldName = (name: unknown): name is FieldName => typeof name === 'string' && Object.hasOwn(wording, name);

/** The connection that `values` describe, or what is wrong with them. Spaces around a value do not count. */
export const checkConnection = (
  values: Readonly<Record<string, unknown>>,
): { readonly connection?: Pick<Connection, FieldName>; readonly errors: FormErrors } => {
  const trimmed = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : value,
  ]);
  const given = Object.fromEntries(trimmed);
  const parsed = Input.safeParse(given);
  const wrong = parsed.error?.issues.map(({ path }) => path[0]).filter(isFieldName) ?? [];
  const errors: FormErrors = Object.assign(
    Object.fromEntries(wrong.map((name) => [name, wording[name]])),
    ...addressFields.map((name) => fieldError(addressRefusal(name, given[name] ?? ''))),
  );
  return parsed.success && Object.keys(errors).length === 0 ? { connection: parsed.data, errors } : { errors };
};

const addressFields = ['baseUrl', 'authUrl'] as const;

/** A refusal as the error of the field it names; undefined when it names none. */
export const fieldError = (error: unknown): FormErrors | undefined => {
  if (error === undefined) return undefined;
  const data = toErrorData(error);
  const { field } = data.details;
  if (!isFieldName(field)) return undefined;
  const { title, todo } = errorText(data);
  return { [field]: data.code === 'input/invalid' ? wording[field] : `${title} ${todo}` };
};
