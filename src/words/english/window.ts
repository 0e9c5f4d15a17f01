import { errors } from './errors.ts';
import { amounts } from './window/amounts.ts';
import { assignment } from './window/assignment.ts';
import { codes } from './window/codes.ts';
import { common } from './window/common.ts';
import { connection } from './window/connection.ts';
import { files } from './window/files.ts';
import { help } from './window/help.ts';
import { licences } from './window/licences.ts';
import { newUpload } from './window/new-upload.ts';
import { offline } from './window/offline.ts';
import { overview } from './window/overview.ts';
import { protocol } from './window/protocol.ts';
import { protocols } from './window/protocols.ts';
import { reach } from './window/reach.ts';
import { search } from './window/search.ts';
import { settings } from './window/settings.ts';
import { shell } from './window/shell.ts';
import { shortcuts } from './window/shortcuts.ts';
import { signIn } from './window/sign-in.ts';
import { uploads } from './window/uploads.ts';
import { watched } from './window/watched.ts';

/** All words of the window. Forms for one and for several end in `_one` and `_other`. */
export const windowWords = {
  ...amounts,
  assignment,
  codes,
  common,
  connection,
  error: errors,
  files,
  help,
  licences,
  newUpload,
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
  watched,
} as const;
