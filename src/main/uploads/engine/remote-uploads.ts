/** `Uploads` as another thread has them: the same calls, each of which takes a message there and one back. */
import type { Batch } from '../../../contract/batches.ts';
import type { EngineSession, UploadCall } from './engine-calls.ts';
import type { Uploads } from './uploads.ts';

type Remote<Call extends (...args: never[]) => unknown> = (
  ...args: Parameters<Call>
) => Promise<Awaited<ReturnType<Call>>>;

/** Also: `upload/engine-stopped`. */
export type RemoteUploads = { readonly [Name in keyof Uploads]: Remote<Uploads[Name]> } & {
  /** All batches of the connection as the engine last told of them, oldest first. */
  readonly present: () => readonly Batch[];
  readonly setSession: (session: EngineSession) => void;
  /** Probes now what cannot be reached: something says that it is back. */
  readonly probeNow: () => void;
  /** The same, and pauses that were asked for are over. */
  readonly tryNow: () => void;
};

/** Every call of `Uploads`: those that only read are made again where the engine died over them. */
const CALLS: Readonly<Record<UploadCall, 'reads' | 'changes'>> = {
  preview: 'reads',
  start: 'changes',
  list: 'reads',
  get: 'reads',
  files: 'reads',
  pause: 'changes',
  resume: 'changes',
  cancel: 'changes',
  retryFailed: 'changes',
  retryFiles: 'changes',
  resumeInterrupted: 'changes',
  ended: 'reads',
  errorGroups: 'reads',
  report: 'reads',
  verify: 'reads',
  mayHaveArrived: 'reads',
  knownFiles: 'reads',
  removeFile: 'changes',
};

/** Whether the call only reads, so that it can be made again. */
export const isRead = (name: UploadCall): boolean => CALLS[name] === 'reads';

/** One function a call, made by `call`. */
export const mapUploadCalls = (
  call: (name: UploadCall, args: readonly unknown[]) => Promise<unknown>,
): { readonly [Name in UploadCall]: Remote<Uploads[Name]> } => {
  const names = Object.keys(CALLS) as UploadCall[];
  const calls = names.map((name) => [name, (...args: readonly unknown[]) => call(name, args)]);
  return Object.fromEntries(calls);
};
