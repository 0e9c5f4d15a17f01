import { expect, it } from 'vitest';
import { findLicences } from './licences-page.tsx';

const licences = [
  { name: '@scope/react-thing', version: '1.2.3', licence: 'MIT', text: '' },
  { name: 'zod', version: '4.0.0', licence: 'MIT', text: '' },
  { name: 'other', version: '1.0.0', licence: 'Apache-2.0', text: 'MIT is named here only' },
];

it('finds by name, version and licence in any case', () => {
  const names = (text: string) => findLicences(licences, text).map(({ name }) => name);
  expect(names('')).toHaveLength(3);
  expect(names('mit')).toEqual(['@scope/react-thing', 'zod']);
  expect(names('React 1.2')).toEqual(['@scope/react-thing']);
  expect(names('apache zod')).toEqual([]);
});
