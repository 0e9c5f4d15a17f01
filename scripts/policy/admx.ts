/** Creates the policy as a template of Windows' Group Policy: ADMX for the keys, ADML for the words in one language. */
import { XMLBuilder } from 'fast-xml-parser';
import { type KeySchema, type PolicyKey, policyKeys } from '../../src/main/settings/policy/policy.ts';
import { REGISTRY_KEY } from '../../src/main/settings/policy/read-policy.ts';
import { keyWords, type PolicyWords } from './policy-words.ts';

const NAMESPACE = 'http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions';
/** The maximum of a REG_DWORD. */
const MOST = 0xffff_ffff;

const xml = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  format: true,
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
});
const document = (root: object): string => `<?xml version="1.0" encoding="utf-8"?>\n${xml.build(root)}`;

const rootOf = (content: object) => ({
  '@xmlns:xsd': 'http://www.w3.org/2001/XMLSchema',
  '@xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
  '@revision': '1.0',
  '@schemaVersion': '1.0',
  '@xmlns': NAMESPACE,
  ...content,
});

const idOf = ({ path }: PolicyKey): string => path.replaceAll('.', '_');
const groupOf = ({ path }: PolicyKey): string => path.split('.')[0] ?? '';

const valueId = (value: unknown): string => `value_${value}`.replaceAll('-', '_');

type Kind = 'boolean' | 'enum' | 'decimal' | 'multiText' | 'text';

const kindOf = ({ type, enum: values }: KeySchema): Kind => {
  if (type === 'boolean') return 'boolean';
  if (values) return 'enum';
  if (type === 'integer') return 'decimal';
  return type === 'array' ? 'multiText' : 'text';
};

const element = (key: PolicyKey): object => {
  const { schema, path } = key;
  const of = { '@id': 'value', '@valueName': path };
  switch (kindOf(schema)) {
    case 'boolean':
      return { enabledValue: { decimal: { '@value': 1 } }, disabledValue: { decimal: { '@value': 0 } } };
    case 'enum': {
      const item = schema.enum?.map((value) => ({
        '@displayName': `$(string.${valueId(value)})`,
        value: { string: value },
      }));
      return { elements: { enum: { ...of, '@required': true, item } } };
    }
    case 'decimal': {
      const [least, most] = [schema.minimum ?? 0, Math.min(schema.maximum ?? MOST, MOST)];
      return { elements: { decimal: { ...of, '@required': true, '@minValue': least, '@maxValue': most } } };
    }
    case 'multiText':
      return { elements: { multiText: of } };
    case 'text':
      return { elements: { text: { ...of, '@required': true } } };
  }
};

/** Returns the template, which contains no words. */
export const admx = (): string => {
  const keys = policyKeys();
  const groups = [...new Set(keys.map(groupOf))];
  return document({
    policyDefinitions: rootOf({
      policyNamespaces: { target: { '@prefix': 'inspectiondesk', '@namespace': 'InspectionDesk.Policies' } },
      resources: { '@minRequiredRevision': '1.0' },
      supportedOn: { definitions: { definition: { '@name': 'SUPPORTED', '@displayName': '$(string.supported)' } } },
      categories: {
        category: [
          { '@name': 'app', '@displayName': '$(string.app)' },
          ...groups.map((group) => ({
            '@name': group,
            '@displayName': `$(string.group_${group})`,
            parentCategory: { '@ref': 'app' },
          })),
        ],
      },
      policies: {
        policy: keys.map((key) => ({
          '@name': idOf(key),
          '@class': 'Machine',
          '@displayName': `$(string.${idOf(key)})`,
          '@explainText': `$(string.${idOf(key)}_text)`,
          '@key': REGISTRY_KEY.replace('HKEY_LOCAL_MACHINE\\', ''),
          ...(kindOf(key.schema) === 'boolean'
            ? { '@valueName': key.path }
            : { '@presentation': `$(presentation.${idOf(key)})` }),
          parentCategory: { '@ref': groupOf(key) },
          supportedOn: { '@ref': 'SUPPORTED' },
          ...element(key),
        })),
      },
    }),
  });
};

const INPUTS = { enum: 'dropdownList', decimal: 'decimalTextBox', multiText: 'multiTextBox', text: 'textBox' } as const;

/** Returns the words of the template in one language. */
export const adml = (words: PolicyWords): string => {
  const keys = policyKeys();
  const values = [...new Set(keys.flatMap(({ schema }) => schema.enum ?? []))].map(String);
  const string = (id: string, text: string) => ({ '@id': id, '#text': text });
  return document({
    policyDefinitionResources: rootOf({
      displayName: words.app,
      description: words.app,
      resources: {
        stringTable: {
          string: [
            string('app', words.app),
            string('supported', words.supported),
            ...Object.entries(words.group).map(([group, text]) => string(`group_${group}`, text)),
            ...values.map((value) => string(valueId(value), value)),
            ...keys.flatMap((key) => {
              const { title = '', text = '' } = keyWords(words, key.path) ?? {};
              return [string(idOf(key), title), string(`${idOf(key)}_text`, text)];
            }),
          ],
        },
        presentationTable: {
          presentation: keys.flatMap((key) => {
            const kind = kindOf(key.schema);
            if (kind === 'boolean') return [];
            const { title = '' } = keyWords(words, key.path) ?? {};
            const input = kind === 'text' ? { label: title } : { '#text': title };
            return [{ '@id': idOf(key), [INPUTS[kind]]: { '@refId': 'value', ...input } }];
          }),
        },
      },
    }),
  });
};
