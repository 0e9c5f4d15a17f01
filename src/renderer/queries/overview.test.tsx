// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { emptySnapshot } from '../testing/fake-bridge.ts';
import { createTestWindow } from '../testing/render-query.tsx';
import { useCacheSize, useOverview } from './overview.ts';

it('counts again once everything is available offline', async () => {
  let protocols = 1;
  const { render, emit } = await createTestWindow({
    overview: { read: () => ({ protocols, protocolsByMonth: [], pointsBySeverity: [], assignmentsByStatus: [] }) },
  });
  const { result } = render(() => useOverview(), undefined);
  await waitFor(() => expect(result.current.value?.protocols).toBe(1));
  protocols = 240;
  act(() => emit({ type: 'offline', revision: 2, offline: { ...emptySnapshot.offline, completedAtMs: 5 } }));
  await waitFor(() => expect(result.current.value?.protocols).toBe(240));
});

it('measures the offline data again when it was cleared', async () => {
  let sizeBytes = 5_000;
  const { render, desk } = await createTestWindow({
    cache: {
      size: () => ({ sizeBytes }),
      clear: () => {
        sizeBytes = 0;
      },
    },
  });
  const { result } = render(() => useCacheSize(), undefined);
  await waitFor(() => expect(result.current.value?.sizeBytes).toBe(5_000));
  await act(() => desk.cache.clear());
  await waitFor(() => expect(result.current.value?.sizeBytes).toBe(0));
});
