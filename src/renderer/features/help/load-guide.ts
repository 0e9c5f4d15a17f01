import { memoize } from 'es-toolkit';
import { type GuidePart, readGuide } from './guide.ts';

type LoadText = () => Promise<{ readonly default: string }>;

const english: LoadText = () => import('../../../../docs/user-guide.md?raw');
const translated: Readonly<Record<string, LoadText>> = {
  sv: () => import('../../../../docs/user-guide.sv.md?raw'),
  de: () => import('../../../../docs/user-guide.de.md?raw'),
};

/** The user guide in the language `locale`, or in English if it is not translated. Each is loaded once. */
export const loadGuide = memoize(async (locale: string): Promise<readonly GuidePart[]> => {
  const load = translated[locale] ?? english;
  return readGuide((await load()).default);
});
