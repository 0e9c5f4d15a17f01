/** Creates the files with which administrators set the policy, from the policy's schema and words. */
import { Language } from '../../src/contract/preferences.ts';
import { type KeySchema, policyKeys, policySchema } from '../../src/main/settings/policy/policy.ts';
import { languages } from '../../src/words/languages.ts';
import { adml, admx } from './admx.ts';
import { mobileconfig } from './mobileconfig.ts';
import { keyWords, readPolicyWords } from './policy-words.ts';

/** The policy of an organisation that has a proxy and distributes the app's updates itself. */
export const EXAMPLE = {
  connection: {
    baseUrl: 'https://inspection.example.com',
    authUrl: 'https://login.example.com',
    clientId: 'desk',
  },
  network: {
    proxy: { mode: 'manual', address: 'http://proxy.example.com:8080', exceptions: ['*.example.com'] },
  },
  updates: { mode: 'off' },
  sampleData: false,
};

const english = readPolicyWords('en');

const described = (path: string, schema: KeySchema): KeySchema => {
  const words = keyWords(english, path);
  const properties = Object.entries(schema.properties ?? {}).map(([key, inner]) => [
    key,
    typeof inner === 'object' ? described(path === '' ? key : `${path}.${key}`, inner) : inner,
  ]);
  return {
    ...(words && { title: words.title, description: words.text }),
    ...schema,
    ...(schema.properties && { properties: Object.fromEntries(properties) }),
  };
};

const admlPath = (language: Language): string => `admx/${languages[language].policyLocale}/InspectionDesk.adml`;

/** Returns the content of each file by its path below build/policy. */
export const policyFiles = (): Readonly<Record<string, string>> => ({
  'config.schema.json': `${JSON.stringify(described('', policySchema()), null, 2)}\n`,
  'admx/InspectionDesk.admx': admx(),
  ...Object.fromEntries(Language.options.map((language) => [admlPath(language), adml(readPolicyWords(language))])),
  'example.json': `${JSON.stringify(EXAMPLE, null, 2)}\n`,
  'example.mobileconfig': mobileconfig(EXAMPLE),
});

const valuesOf = (schema: KeySchema): string => {
  if (schema.anyOf) return schema.anyOf.map((one) => (typeof one === 'object' ? valuesOf(one) : '')).join(', ');
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  if (schema.type === 'integer') return `${schema.minimum} to ${schema.maximum}`;
  if (schema.type !== 'array') return schema.type === 'boolean' ? '`true`, `false`' : 'text';
  const { items } = schema;
  const isText = typeof items === 'object' && 'type' in items && items.type === 'string';
  return isText ? 'list of texts' : 'list of periods';
};

const [BEGIN, END] = ['<!-- keys: npm run policy -->', '<!-- end of keys -->'];

export const withKeyTable = (guide: string): string => {
  const rows = policyKeys().map(
    ({ path, schema }) => `| \`${path}\` | ${valuesOf(schema)} | ${keyWords(english, path)?.text} |`,
  );
  const table = ['| key | value | meaning |', '|---|---|---|', ...rows].join('\n');
  const [before = '', rest = ''] = guide.split(BEGIN);
  return `${before}${BEGIN}\n${table}\n${END}${rest.split(END)[1] ?? ''}`;
};
