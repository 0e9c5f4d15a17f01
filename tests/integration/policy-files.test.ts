/**
 * The files with which administrators set the policy: templates, schema, example, and the table in the guide. All have
 * to be up to date.
 */
import { readFileSync } from 'node:fs';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { EXAMPLE, policyFiles, withKeyTable } from '../../scripts/policy/files.ts';
import { Policy, policyKeys } from '../../src/main/settings/policy/policy.ts';

const files = policyFiles();
const guide = readFileSync('docs/it-guide.md', 'utf8');

test.each(Object.entries(files))('build/policy/%s is that of the schema (npm run policy)', (path, text) => {
  expect(readFileSync(`build/policy/${path}`, 'utf8')).toBe(text);
});

test('the guide has the table of all keys (npm run policy), and an example that is valid', () => {
  expect(guide).toBe(withKeyTable(guide));
  for (const { path } of policyKeys()) expect(guide).toContain(`| \`${path}\` |`);
  const [, json = ''] = /^## Policy\n.*?```json\n(.*?)```/ms.exec(guide) ?? [];
  expect(JSON.parse(json)).toEqual(EXAMPLE);
  expect(Policy.parse(EXAMPLE)).toEqual(EXAMPLE);
});

const list = <T extends z.ZodType>(item: T) => z.union([z.array(item), item.transform((one) => [one])]);
const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' });
const Template = z.object({
  policyDefinitions: z.object({
    policies: z.object({
      policy: z.array(
        z.object({
          name: z.string(),
          key: z.literal('Software\\Policies\\Inspection Desk'),
          valueName: z.string().optional(),
          presentation: z.string().optional(),
          parentCategory: z.object({ ref: z.string() }),
          elements: z.record(z.string(), z.object({ id: z.string(), valueName: z.string() })).optional(),
        }),
      ),
    }),
    categories: z.object({ category: z.array(z.object({ name: z.string() })) }),
  }),
});
const Resources = z.object({
  policyDefinitionResources: z.object({
    resources: z.object({
      stringTable: z.object({ string: z.array(z.object({ id: z.string(), '#text': z.coerce.string().min(1) })) }),
      presentationTable: z.object({ presentation: list(z.looseObject({ id: z.string() })) }),
    }),
  }),
});

test('the template of Group Policy has every key once, where the app reads it', () => {
  const admx = files['admx/InspectionDesk.admx'] ?? '';
  expect(XMLValidator.validate(admx)).toBe(true);
  const { policies, categories } = Template.parse(parser.parse(admx)).policyDefinitions;
  const names = policies.policy.flatMap(({ valueName, elements = {} }) => [
    ...(valueName === undefined ? [] : [valueName]),
    ...Object.values(elements).map((element) => element.valueName),
  ]);
  expect(names).toEqual(policyKeys().map(({ path }) => path));
  const known = categories.category.map(({ name }) => name);
  expect(policies.policy.filter(({ parentCategory }) => !known.includes(parentCategory.ref))).toEqual([]);
});

test.each(['en-US', 'de-DE', 'sv-SE'])('the words of the template in %s are complete', (language) => {
  const admx = files['admx/InspectionDesk.admx'] ?? '';
  const adml = files[`admx/${language}/InspectionDesk.adml`] ?? '';
  expect(XMLValidator.validate(adml)).toBe(true);
  const { stringTable, presentationTable } = Resources.parse(parser.parse(adml)).policyDefinitionResources.resources;
  const named = (kind: string) => [
    ...new Set([...admx.matchAll(new RegExp(`\\$\\(${kind}\\.(\\w+)\\)`, 'g'))].map(([, id]) => id)),
  ];
  expect(stringTable.string.map(({ id }) => id).toSorted()).toEqual(named('string').toSorted());
  expect(presentationTable.presentation.map(({ id }) => id).toSorted()).toEqual(named('presentation').toSorted());
  for (const { id, ...inputs } of presentationTable.presentation)
    expect({ id, inputs: Object.values(inputs) }).toEqual({
      id,
      inputs: [expect.objectContaining({ refId: 'value' })],
    });
});

test('the profile of macOS is well-formed and has the example', () => {
  const profile = files['example.mobileconfig'] ?? '';
  expect(XMLValidator.validate(profile)).toBe(true);
  expect(profile).toContain('<string>com.inspectiondesk.app</string>');
  expect(profile).toContain(EXAMPLE.network.proxy.address);
  expect(profile).toMatch(/<key>sampleData<\/key>\s*<false\/>/);
});
