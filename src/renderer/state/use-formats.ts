import { type Formats, formats } from '../words/formats.ts';
import { useApp } from './context.tsx';

/** The formats of the present settings. What is not rendered with all else renders again when they change. */
export const useFormats = (): Formats => {
  useApp(({ projection }) => projection.snapshot?.preferences);
  return formats();
};
