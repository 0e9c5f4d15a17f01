/** The exit codes that scripts rely on. */
import { type ErrorCode, isOutageCode } from '../../../contract/errors.ts';

export const EXIT = {
  done: 0,
  /** Not everything could be done, or an error occurred that has no exit code of its own. */
  failures: 1,
  usage: 2,
  signIn: 3,
  unreachable: 4,
  inUse: 5,
  bug: 70,
  /** Stopped by Ctrl-C (128 + SIGINT, as in shells), or because the app that ran the command has ended. */
  interrupted: 130,
  /** Stopped because the output cannot be written: 128 + SIGPIPE, as in shells. */
  outputLost: 141,
} as const;

const USAGE: ReadonlySet<ErrorCode> = new Set([
  'input/invalid',
  'connection/missing',
  'connection/insecure',
  'connection/address',
  'network/proxy-address',
  'connection/sample-off',
  'settings/managed',
  'settings/logo',
  'upload/folder-missing',
  'upload/folder-replaced',
  'upload/folder-unreadable',
  'upload/drive-unresponsive',
  'upload/not-a-folder',
  'upload/map-invalid',
  'watch/unknown',
  'watch/overlaps',
  'upload/batch-unknown',
  'upload/batch-state',
  'app/unsupported',
  'output/not-a-file',
  'output/data-directory',
]);

export const exitCodeOf = (code: ErrorCode): number => {
  if (code === 'app/bug') return EXIT.bug;
  if (code === 'app/cancelled' || code === 'app/ended') return EXIT.interrupted;
  if (code === 'data/in-use') return EXIT.inUse;
  if (USAGE.has(code) || code.startsWith('policy/')) return EXIT.usage;
  if (isOutageCode(code) || code === 'service/busy' || code === 'service/failed') return EXIT.unreachable;
  if (/^(auth|keychain|vault)\//.test(code) || code === 'upload/other-session') return EXIT.signIn;
  return EXIT.failures;
};
