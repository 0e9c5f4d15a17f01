/** Replaces `node:worker_threads`: a worker runs in this process. Messages to it and from it take some time. */
import { EventEmitter } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { present } from '../present.ts';
import { hasEnded, type Process, running, virtualTime } from '../virtual-time.ts';

export const parentPort = null;
export const workerData = null;

/**
 * The functions that workers run, by the file name of their module and, if a module has several, by the name of the
 * service.
 */
export const WORKERS = new Map<string, (port: MessagePort) => void>();

/** All running workers, so that a history can make one crash. */
export const threads = new Set<Worker>();

type Listener = (message: unknown) => void;

export class Worker extends EventEmitter {
  readonly module: string;
  readonly thread: Process;
  readonly #main = running();
  readonly #time = virtualTime();
  #listener: Listener = () => {};
  #toThreadMs: number;
  #toMainMs = 0;

  constructor(module: URL, { workerData: data }: { readonly workerData?: { readonly serves: string } } = {}) {
    super();
    this.module = [module.pathname.split('/').at(-1) ?? '', data?.serves ?? ''].join(' ').trim();
    const serve = WORKERS.get(this.module);
    if (serve === undefined) throw new Error(`no worker ${this.module}`);
    const time = this.#time;
    this.thread = { isDead: false, of: this.#main, bornMs: this.#main.bornMs ?? 0 };
    threads.add(this);
    this.#toThreadMs = time.now() + present().random.integer(1, 50);
    const port = {
      on: (_: string, listener: Listener) => {
        this.#listener = listener;
      },
      postMessage: (message: unknown, moved: readonly ArrayBuffer[] = []) => {
        const copy = structuredClone(message, { transfer: [...moved] });
        this.#toMainMs = this.#at(this.#toMainMs);
        this.#later(this.#main, this.#toMainMs, () => this.emit('message', copy));
      },
      close: () => this.end(),
    };
    this.#later(this.thread, this.#toThreadMs, () => serve(port as never));
  }

  postMessage(message: unknown): void {
    if (hasEnded(this.thread)) return;
    const copy = structuredClone(message);
    this.#toThreadMs = this.#at(this.#toThreadMs);
    this.#later(this.thread, this.#toThreadMs, () => this.#listener(copy));
  }

  /** Ends the thread; with `error`, as in a crash. */
  end(error?: Error): void {
    if (hasEnded(this.thread)) return;
    this.thread.isDead = true;
    threads.delete(this);
    this.#toMainMs = this.#at(this.#toMainMs);
    this.#later(this.#main, this.#toMainMs, () => {
      if (error) this.emit('error', error);
      this.emit('exit', error ? 1 : 0);
    });
  }

  async terminate(): Promise<number> {
    this.end();
    return 1;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  /** Returns a time for the arrival of a message, not before that of the previous one. A busy thread is late. */
  #at(lastMs: number): number {
    const { random } = present();
    return Math.max(lastMs, this.#time.now() + random.integer(0, 20) / (random.chance(0.01) ? 0.1 : 100));
  }

  #later(process: Process, atMs: number, run: () => void): void {
    const time = this.#time;
    time.inside(process, () => time.after(atMs - time.now(), run));
  }
}
