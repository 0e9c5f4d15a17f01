/**
 * Everything the window says, from one catalog. The type of a key is the catalog's own: one that is not there does not
 * compile, and neither does a sentence that lacks one of its values.
 */
import { createInstance } from 'i18next';
import { english } from './english.ts';
import { formats } from './formats.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof english };
  }
}

const instance = createInstance();
// Nothing is loaded, so it is ready at once.
void instance.init({
  lng: 'en',
  resources: { en: { translation: english } },
  initAsync: false,
  // React escapes what it renders.
  interpolation: { escapeValue: false },
});
// The words are English; numbers are written as on the rest of the computer.
instance.services.formatter?.add('number', (value: number) => formats().number(value));

/** Words without values are the same each time; a table asks for them in every row. */
const known = new Map<unknown, unknown>();

/** The words of `key`, with their values filled in: `t('count.file', { count: 3 })` is "3 files". */
export const t = ((key: never, values?: never) => {
  if (values !== undefined) return instance.t(key, values);
  if (!known.has(key)) known.set(key, instance.t(key));
  return known.get(key);
}) as typeof instance.t;
