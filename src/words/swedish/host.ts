import { errors } from './errors.ts';
import { about } from './host/about.ts';
import { cli } from './host/cli.ts';
import { closing } from './host/closing.ts';
import { help } from './host/help.ts';
import { menu } from './host/menu.ts';
import { notice } from './host/notice.ts';
import { page } from './host/page.ts';
import { receipt } from './host/receipt.ts';
import { table } from './host/table.ts';
import { tray } from './host/tray.ts';

/** All words of main and the command line. */
export const hostWords = {
  about,
  cli,
  closing,
  error: errors,
  help,
  menu,
  notice,
  page,
  receipt,
  table,
  tray,
} as const;
