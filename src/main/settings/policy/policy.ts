/** The policy: the settings that an organisation can set on a machine for all users, including the connection. */
import { z } from 'zod';
import { addressRefusal, Connection } from '../../../contract/connection.ts';
import { DeskError, type ErrorCode } from '../../../contract/errors.ts';
import { LeaveRoom, LimitPeriod, Period, UploadLimit } from '../../../contract/hours.ts';
import {
  CacheLimit,
  Desktop,
  Letterhead,
  LogLevel,
  Network,
  Preferences,
  ProxySettings,
  SignOutErases,
  Updates,
} from '../../../contract/preferences.ts';
import { RedirectUri } from '../schema.ts';

/** Creates the schema of a group of keys. Unknown keys are refused, because a misspelt key would set nothing. */
const group = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape).partial().optional();

const ServiceAddress = z
  .string()
  .refine((address) => addressRefusal('', address) === undefined, 'is not an https address of a service');

/** Matches an absolute path on this machine, but not a network path. */
const LocalPath = z
  .string()
  .max(4096)
  .regex(/^(\/(?!\/)|[A-Za-z]:[\\/])/);

/** Adds an example to a schema, for error messages and for editors. */
const like = <Schema extends z.ZodType>(schema: Schema, example: z.input<Schema>): Schema =>
  schema.meta({ examples: [example] });

/** The schema of a policy. Users cannot change a setting that the policy has a value for. */
export const Policy = z.strictObject({
  connection: group({
    baseUrl: like(ServiceAddress, 'https://inspection.example.com'),
    authUrl: like(ServiceAddress, 'https://login.example.com'),
    clientId: like(Connection.shape.clientId, 'desk'),
    redirectUri: like(RedirectUri, 'com.inspectiondesk.app:/oauth/callback'),
    scope: like(Connection.shape.scope.unwrap(), 'openid offline_access'),
  }),
  network: group({
    proxy: ProxySettings.safeExtend({
      address: like(ProxySettings.shape.address, 'http://proxy.example.com:8080'),
      exceptions: like(ProxySettings.shape.exceptions, ['*.example.com', '10.0.0.0/8']),
    }).strict(),
    caFile: like(Network.shape.caFile.unwrap(), '/usr/local/share/office-ca.pem'),
  }),
  updates: group({
    ...Updates.shape,
    address: like(Updates.shape.address.unwrap(), 'https://updates.example.com/desk'),
  }),
  desktop: group(Desktop.shape),
  uploads: group({
    limit: UploadLimit.extend({ schedule: z.array(LimitPeriod.strict()).max(20).readonly().default([]) }).strict(),
    leaveRoom: LeaveRoom,
    concurrency: Preferences.shape.concurrency,
    hours: z.array(Period.strict()).max(20).readonly(),
    waitOnBattery: Preferences.shape.waitOnBattery,
    waitOnMetered: Preferences.shape.waitOnMetered,
  }),
  letterhead: group({
    office: like(Letterhead.shape.office.unwrap(), 'Example Building Services'),
    logo: like(LocalPath, '/usr/local/share/office-logo.png'),
  }),
  cache: group({ limitMegabytes: CacheLimit }),
  signOut: group({ erases: SignOutErases }),
  log: group({ level: LogLevel }),
  sampleData: z.boolean().optional(),
});
export type Policy = Readonly<z.infer<typeof Policy>>;

// The faults of a policy. A policy never applies in part: if it has faults, the app does not start, and lists them.

type PolicyErrorCode = Extract<ErrorCode, `policy/${string}`>;

/**
 * One fault to correct. `line`: counted from 1; absent if unknown. `what`: what is allowed for the key, or the name of
 * a syntax error.
 */
export type Fault = {
  readonly code: 'policy/syntax' | 'policy/unknown-key' | 'policy/invalid';
  readonly path: string;
  readonly line?: number | undefined;
  readonly key?: string | undefined;
  readonly what: string;
};

/** Creates the error of a policy that cannot be used at all, such as an unreadable or unsafe file. */
export const policyError = (code: PolicyErrorCode, path: string, message: string, cause?: unknown): DeskError =>
  new DeskError(code, `${path}: ${message}`, { details: { path }, cause });

/**
 * The unvalidated policy of one source. `lineOf` returns the line of the value at a path of keys; absent if the source
 * has no lines.
 */
export type RawPolicy = {
  readonly path: string;
  readonly value: unknown;
  readonly lineOf?: (keys: readonly PropertyKey[]) => number | undefined;
  readonly faults?: readonly Fault[];
};

/**
 * Validates the policies of all sources.
 * @throws DeskError with the first of the codes `policy/syntax`, `policy/unknown-key` and `policy/invalid` that a fault
 * has. Details: `path`, `key` and `line` of that fault, and `faults`, a text that lists the first 20 faults
 */
export const parsePolicies = (sources: readonly RawPolicy[]): readonly Policy[] => {
  const parsed = sources.map((source) => ({ source, ...Policy.safeParse(source.value) }));
  const faults = parsed.flatMap(({ source, error }) => [
    ...(source.faults ?? []),
    ...(error ? faultsOf(source, error) : []),
  ]);
  if (faults.length > 0) throw faultsError(faults);
  return parsed.flatMap(({ data }) => (data ? [data] : []));
};

export const parsePolicy = (source: RawPolicy): Policy => parsePolicies([source])[0] ?? {};

/**
 * The maximum number of faults that are listed. Further faults are only counted, because a file that was not written as
 * a policy can have thousands.
 */
const MOST_FAULTS = 20;

/** A mismatch with the schema. `within`: the path whose schema says what is allowed. */
type Misfit = Pick<Fault, 'code'> & { readonly keys: readonly PropertyKey[]; readonly within: readonly PropertyKey[] };

const faultsOf = ({ path, lineOf = () => undefined }: RawPolicy, { issues }: z.ZodError): readonly Fault[] =>
  issues
    .flatMap((issue): readonly Misfit[] =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => ({ code: 'policy/unknown-key', keys: [...issue.path, key], within: issue.path }))
        : [{ code: 'policy/invalid', keys: issue.path, within: issue.path }],
    )
    .map(
      ({ code, keys, within }, at): Fault => ({
        code,
        path,
        key: keys.join('.'),
        ...(at < MOST_FAULTS ? { line: lineOf(keys), what: allowedAt(within) } : { what: '' }),
      }),
    )
    .sort((one, other) => (one.line ?? Number.MAX_SAFE_INTEGER) - (other.line ?? Number.MAX_SAFE_INTEGER));

const CODES = ['policy/syntax', 'policy/unknown-key', 'policy/invalid'] as const;

const faultsError = (faults: readonly Fault[]): DeskError => {
  // An unknown key is reported before an invalid value, because a missing key is often a misspelt one.
  const code = CODES.find((one) => faults.some((fault) => fault.code === one)) ?? 'policy/invalid';
  const first = faults.find((fault) => fault.code === code);
  const more = faults.length > MOST_FAULTS ? ` • … (${faults.length - MOST_FAULTS})` : '';
  const text = faults.slice(0, MOST_FAULTS).map((fault) => ` • ${wordsOf(fault)}`);
  return new DeskError(code, `the policy has faults:${text.join('')}${more}`, {
    details: {
      path: first?.path ?? '',
      ...(first?.line !== undefined && { line: first.line }),
      ...(first?.key !== undefined && { key: shortened(first.key) }),
      faults: `${text.join('')}${more}`.trimStart(),
    },
  });
};

const wordsOf = ({ path, line, key, what }: Fault): string =>
  [line === undefined ? path : `${path}:${line}`, key && shortened(key), what].filter(Boolean).join(': ');

const shortened = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);

export type KeySchema = z.core.JSONSchema.BaseSchema;

export type PolicyKey = { readonly path: string; readonly schema: KeySchema };

export const policySchema = (): KeySchema => z.toJSONSchema(Policy, { io: 'input' });

/** Returns the key of each setting of a policy, in the order of the schema. Keys of groups are left out. */
export const policyKeys = (): readonly PolicyKey[] => below('', policySchema());

const below = (path: string, schema: KeySchema): readonly PolicyKey[] =>
  schema.properties === undefined
    ? [{ path, schema }]
    : Object.entries(schema.properties).flatMap(([key, value]) =>
        typeof value === 'object' ? below(path === '' ? key : `${path}.${key}`, value) : [],
      );

/**
 * Describes what is allowed at the path `keys` of a policy: values, keys, the range of a number, or an example. For an
 * unknown key, describes the nearest known parent. The text needs no translation.
 */
export const allowedAt = (keys: readonly PropertyKey[]): string => {
  let schema: KeySchema | undefined = policySchema();
  let allowed = describe(schema);
  for (const key of keys) {
    schema = schemaOf(schema.properties?.[String(key)]) ?? schemaOf(schema.items);
    if (schema === undefined) return allowed;
    allowed = describe(schema) || allowed;
  }
  return allowed;
};

const schemaOf = (schema: KeySchema['items']): KeySchema | undefined =>
  typeof schema === 'object' && !Array.isArray(schema) ? schema : undefined;

const describe = ({
  anyOf,
  const: only,
  enum: values,
  type,
  minimum,
  maximum,
  properties,
  examples,
}: KeySchema): string => {
  if (anyOf) return anyOf.map((one) => describe(schemaOf(one) ?? {})).join(' | ');
  if (only !== undefined) return String(only);
  if (values) return values.join(' | ');
  if (type === 'boolean') return 'true | false';
  if (type === 'integer') return `${minimum}–${maximum}`;
  if (Array.isArray(examples)) return JSON.stringify(examples[0]);
  return Object.keys(properties ?? {}).join(', ');
};
