import { errors } from './errors.ts';
import { cli } from './host/cli.ts';
import { menu } from './host/menu.ts';
import { notice } from './host/notice.ts';

/** All words of main and the command line. */
export const hostWords = { cli, error: errors, menu, notice } as const;
