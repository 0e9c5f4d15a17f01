/** Runs the whole app without a window in a separate process, which uploads a folder while a user clicks. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LeaveRoom } from '../../src/contract/hours.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';

export type DeskWork = {
  readonly sandbox: Pick<Sandbox, 'baseUrl' | 'authUrl' | 'clientId'>;
  readonly home: string;
  readonly root: string;
  readonly assignment: string;
  /** The upload is abandoned after this time. */
  readonly forMs: number;
  readonly leaveRoom: LeaveRoom;
  /** Whether a list of the service is read every 300 ms, before and during the upload. */
  readonly clicks: boolean;
};

type DeskResult = {
  /** The response times of the clicks before the upload and during it. */
  readonly idleClicksMs: readonly number[];
  readonly busyClicksMs: readonly number[];
};

export type DeskMessage = { readonly type: 'uploading' } | ({ readonly type: 'ended' } & DeskResult);

const program = fileURLToPath(new URL('desk-program.ts', import.meta.url));

/** `onUploading` is called as soon as the upload begins. */
export const runDesk = (work: DeskWork, onUploading: () => void = () => {}): Promise<DeskResult> =>
  new Promise((resolve, reject) => {
    const child = fork(program, { env: { PATH: process.env.PATH, HOME: work.home } });
    child.on('message', (message: DeskMessage) => (message.type === 'uploading' ? onUploading() : resolve(message)));
    child.once('exit', (code) => reject(new Error(`the app ended with ${code}`)));
    child.send(work);
  });
