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
