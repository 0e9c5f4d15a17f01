import { useCallback, useState } from 'react';
import type { CachedProtocol } from '../../../contract/cached.ts';
import type { ProtocolTableQuery } from '../../../contract/protocol-table.ts';
import { type UseWindows, useWindows } from '../../queries/use-windows.ts';
import { useDesk } from '../../state/context.tsx';

export type ProtocolRows = UseWindows<CachedProtocol> & {
  /** How many protocols are kept in all. */
  readonly kept: number;
  /** How many the last walk through all could not read. */
  readonly unreadable: number;
};

/** The protocols on this computer that `query` selects, in its order. Keep `query` stable with `useMemo`. */
export const useProtocolRows = (query: Partial<ProtocolTableQuery>): ProtocolRows => {
  const desk = useDesk();
  const [kept, setKept] = useState(0);
  const [unreadable, setUnreadable] = useState(0);
  const read = useCallback(
    async (offset: number, limit: number) => {
      const answer = await desk.protocols.table({ ...query, offset, limit });
      setKept(answer.kept);
      setUnreadable(answer.unreadable);
      return { rows: answer.Items, total: answer.total };
    },
    [desk, query],
  );
  return { ...useWindows(read), kept, unreadable };
};
