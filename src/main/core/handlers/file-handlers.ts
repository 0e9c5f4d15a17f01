/** The calls of the contract that save a file, or show one in its folder. */
import { join } from 'node:path';
import { DeskError } from '../../../contract/errors.ts';
import { sheetFormat } from '../../../contract/text.ts';
import { createFormats } from '../../../words/formats.ts';
import { writeCsv } from '../../data/export-csv.ts';
import { userFile } from '../../data/user-file.ts';
import { readPreferences } from '../../settings/preferences.ts';
import type { ReceiptOrder } from '../receipts/receipt-plan.ts';
import type { HandlerParts } from './handler-parts.ts';

const unsupported = (): DeskError => new DeskError('app/unsupported', 'this host has no such dialog');

/** Errors: `app/unsupported` if the host has no such dialog; `data/unwritable` if a file cannot be saved; those of `userFile`. */
export const createFileHandlers = ({
  host,
  settings,
  connections,
  receipts,
  doctor,
}: Pick<HandlerParts, 'host' | 'settings' | 'connections' | 'receipts' | 'doctor'>) => {
  const save = async (
    name: string,
    extensions: readonly [string, ...string[]],
    write: (path: string) => Promise<void>,
  ) => {
    if (!host.pickSavePath) throw unsupported();
    const path = await host.pickSavePath(`${name}.${extensions[0]}`, extensions);
    if (path === undefined) return undefined;
    // Where a host hands files over, their paths are its own.
    await write(host.handOver ? path : await userFile(path, host.home));
    return { path: (await host.handOver?.(path)) ?? path };
  };
  const show = (path: string): void => {
    if (!host.showInFolder) throw unsupported();
    host.showInFolder(path);
  };

  return {
    openLogs: () => show(join(host.home, 'logs', 'inspection-desk.log')),
    exportCsv: ({ name, ...table }: Parameters<typeof writeCsv>[1] & { readonly name: string }) => {
      const { number } = createFormats({ ...readPreferences(settings), systemLocale: host.locale });
      return save(safeName(name), ['csv'], (path) => writeCsv(path, table, sheetFormat(number)));
    },
    saveDoctorBundle: () => save('inspection-desk-doctor', ['zip'], doctor.saveBundle),
    saveReceipts: ({ beside, ...order }: ReceiptOrder & { readonly beside: boolean }) =>
      beside ? receipts.saveBeside(order) : receipts.saveAsked(order),
    showReceipts: (savedId: string) => show(receipts.pathOf(savedId)),
    openReceipts: async (savedId: string) => {
      if (!host.openFile) throw unsupported();
      await host.openFile(receipts.pathOf(savedId));
    },
    reveal: async (batch: string) => show((await connections.connected().uploads.get(batch)).root),
  };
};

/** A name that is valid on every file system. */
const safeName = (name: string): string => name.replaceAll(/[\p{Cc}<>:"/\\|?*]/gu, ' ').trim() || 'export';
