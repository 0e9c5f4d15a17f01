import { amounts } from './english/amounts.ts';
import { assignment } from './english/assignment.ts';
import { common } from './english/common.ts';
import { connection } from './english/connection.ts';
import { help } from './english/help.ts';
import { licences } from './english/licences.ts';
import { offline } from './english/offline.ts';
import { overview } from './english/overview.ts';
import { protocol } from './english/protocol.ts';
import { protocols } from './english/protocols.ts';
import { reach } from './english/reach.ts';
import { search } from './english/search.ts';
import { settings } from './english/settings.ts';
import { shell } from './english/shell.ts';
import { shortcuts } from './english/shortcuts.ts';
import { signIn } from './english/sign-in.ts';
import { uploads } from './english/uploads.ts';

/** The catalog of the window's words. Forms for one and for several end in `_one` and `_other`. */
export const english = {
  ...amounts,
  assignment,
  common,
  connection,
  help,
  licences,
  offline,
  overview,
  protocol,
  protocols,
  reach,
  search,
  settings,
  shell,
  shortcuts,
  signIn,
  uploads,
} as const;
