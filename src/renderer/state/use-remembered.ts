import { useCallback, useMemo } from 'react';
import type { z } from 'zod';
import type { ViewValue } from '../../contract/preferences.ts';
import { useApp } from './context.tsx';

/**
 * A piece of the window's state that outlives the app, like the sort of a table, by its key in the settings; undefined
 * while there is none of `schema`. Writing undefined forgets it.
 */
export const useRemembered = <T extends ViewValue>(
  key: string,
  schema: z.ZodType<T>,
): readonly [value: T | undefined, remember: (value: T | undefined) => void] => {
  const kept = useApp(({ remembered, projection }) => remembered[key] ?? projection.snapshot?.views[key]);
  const forgotten = useApp(({ remembered }) => remembered[key] === null);
  const value = useMemo(() => (forgotten ? undefined : schema.safeParse(kept).data), [forgotten, kept, schema]);
  const remember = useApp((state) => state.remember);
  return [value, useCallback((next) => remember(key, next ?? null), [remember, key])];
};
