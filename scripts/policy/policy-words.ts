/** Reads the texts about the policy that administrators see in their tools: src/words/LANGUAGE/policy.json. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Language } from '../../src/contract/preferences.ts';

/** `key` is nested like the policy. Its leaves are the title and the text of each key. */
const PolicyWords = z.object({
  app: z.string(),
  supported: z.string(),
  group: z.record(z.string(), z.string()),
  key: z.record(z.string(), z.unknown()),
});
export type PolicyWords = z.infer<typeof PolicyWords>;

const KeyWords = z.object({ title: z.string(), text: z.string() });

export const readPolicyWords = (language: Language): PolicyWords =>
  PolicyWords.parse(
    JSON.parse(readFileSync(new URL(`../../src/words/${language}/policy.json`, import.meta.url), 'utf8')),
  );

/**
 * Returns the title and the text of the key at `path`, such as `network.proxy.mode`; undefined if there is no such key.
 */
export const keyWords = ({ key }: PolicyWords, path: string): z.infer<typeof KeyWords> | undefined =>
  KeyWords.safeParse(path.split('.').reduce<unknown>((at, name) => Object(at)[name], key)).data;
