import { useCallback, useMemo } from 'react';
import type { z } from 'zod';
import type { ViewValue } from '../../contract/preferences.ts';
import { useRemember, useView } from './context.tsx';

/**
 * Part of the window's state that is remembered after a restart, such as the order of a table; undefined if `schema` does
 * not accept it. Setting undefined forgets it.
 */
export const useRemembered = <T extends ViewValue>(
  key: string,
  schema: z.ZodType<T>,
): readonly [value: T | undefined, remember: (value: T | undefined) => void] => {
  const kept = useView(key);
  const value = useMemo(() => schema.safeParse(kept ?? undefined).data, [kept, schema]);
  const remember = useRemember();
  return [value, useCallback((next) => remember(key, next ?? null), [remember, key])];
};
