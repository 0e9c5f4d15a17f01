/** Saves tables at paths that the user chooses. The rows arrive in parts. */
import { randomUUID } from 'node:crypto';
import type { Handlers } from '../../../contract/calls.ts';
import { DeskError } from '../../../contract/errors.ts';
import type { SheetFormat } from '../../../contract/text.ts';
import { createSerial } from '../../async/lock.ts';
import { safeName } from '../../data/files.ts';
import { type SheetRows, writeSheet } from '../../data/sheet.ts';

/** Lets the user choose a path for `write`; undefined if the user cancels. `name`: without the extension. */
export type Save = (
  name: string,
  extensions: readonly [string, ...string[]],
  write: (path: string) => Promise<void>,
) => Promise<{ readonly path: string } | undefined>;

type OpenFile = {
  readonly id: string;
  readonly rows: WritableStreamDefaultWriter<SheetRows>;
  readonly saved: ReturnType<Save>;
};

export const createExports = (save: Save, format: () => SheetFormat): Handlers['export'] => {
  let current: OpenFile | undefined;
  const fileOf = (exportId: string): OpenFile => {
    if (current?.id !== exportId) throw new DeskError('input/invalid', 'no such file is being written');
    return current;
  };
  const abandon = async (): Promise<void> => {
    const file = current;
    current = undefined;
    await file?.rows.abort().catch(() => {});
    await file?.saved.catch(() => {});
  };
  // Of several calls, the last one keeps its file.
  const inTurn = createSerial();
  return {
    begin: async ({ name, type, header }) => {
      const { readable, writable } = new TransformStream<SheetRows, SheetRows>();
      const begun = Promise.withResolvers<boolean>();
      const id = randomUUID();
      await inTurn(async () => {
        await abandon();
        const saved = save(safeName(name, 'export'), [type], (path) => {
          begun.resolve(true);
          return writeSheet(path, { name, type, header }, readable, format());
        });
        current = { id, rows: writable.getWriter(), saved };
        // An error before writing begins rejects `begin`. A later error rejects `rows` and `finish`.
        saved.then(() => begun.resolve(false), begun.reject);
      });
      return (await begun.promise) ? { exportId: id } : undefined;
    },
    rows: async ({ exportId, rows }) => {
      const file = fileOf(exportId);
      // If the file cannot be written, `write` rejects, and `saved` rejects with the reason.
      await file.rows.write(rows).catch(() => file.saved);
    },
    finish: async ({ exportId }) => {
      const file = fileOf(exportId);
      // Another call may begin the next file in the meantime.
      current = undefined;
      await file.rows.close().catch(() => {});
      return file.saved;
    },
    cancel: async ({ exportId }) => {
      if (current?.id === exportId) await abandon();
    },
  };
};
