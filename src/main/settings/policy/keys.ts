/** The keys of the policy, one by one, with the JSON Schema of each. */
import { z } from 'zod';
import { Policy } from './policy.ts';

/** What is known of a value: its JSON Schema (draft 2020-12). */
export type KeySchema = z.core.JSONSchema.BaseSchema;

/** `path`: as the registry names it, `network.proxy.mode`. */
export type PolicyKey = { readonly path: string; readonly schema: KeySchema };

/** The JSON Schema of a policy file. */
export const policySchema = (): KeySchema => z.toJSONSchema(Policy, { io: 'input' });

/** Every value that a policy can have, in the order of the schema. */
export const policyKeys = (): readonly PolicyKey[] => below('', policySchema());

const below = (path: string, schema: KeySchema): readonly PolicyKey[] =>
  schema.properties === undefined
    ? [{ path, schema }]
    : Object.entries(schema.properties).flatMap(([key, value]) =>
        typeof value === 'object' ? below(path === '' ? key : `${path}.${key}`, value) : [],
      );

/**
 * What `keys` of a policy may be set to, in words of no language: the values or keys that are allowed, the range of a number,
 * or an example. Where the schema knows nothing of the last key, what is known of those around it.
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
