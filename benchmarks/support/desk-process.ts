/** The whole app without a window in a process of its own, which uploads a folder while a person clicks. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LeaveRoom } from '../../src/contract/hours.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';

export type DeskWork = {
  readonly sandbox: Pick<Sandbox, 'baseUrl' | 'authUrl' | 'clientId'>;
  /** The data directory. */
  readonly home: string;
  readonly root: string;
  readonly assignment: string;
  /** The upload is given up after this. */
  readonly forMs: number;
  readonly leaveRoom: LeaveRoom;
  /** Whether somebody reads a list of the service every 300 ms, before the upload and during it. */
  readonly clicks: boolean;
};

type DeskResult = {
  /** Milliseconds until each click was answered. */
  readonly idleClicksMs: readonly number[];
  readonly busyClicksMs: readonly number[];
};

export type DeskMessage = { readonly type: 'uploading' } | ({ readonly type: 'ended' } & DeskResult);

const program = fileURLToPath(new URL('desk-program.ts', import.meta.url));

/** Uploads as `work` says; `onUploading` is called as soon as the upload begins. */
export const runDesk = (work: DeskWork, onUploading: () => void = () => {}): Promise<DeskResult> =>
  new Promise((resolve, reject) => {
    const child = fork(program, { env: { PATH: process.env.PATH, HOME: work.home } });
    child.on('message', (message: DeskMessage) => (message.type === 'uploading' ? onUploading() : resolve(message)));
    child.once('exit', (code) => reject(new Error(`the app ended with ${code}`)));
    child.send(work);
  });
