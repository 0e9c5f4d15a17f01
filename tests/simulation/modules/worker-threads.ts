/** `node:worker_threads`: a worker serves its port within this process, as a thread whose messages take a moment. */
import { EventEmitter } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { present } from '../present.ts';
import { hasEnded, type Process, running, virtualTime } from '../virtual-time.ts';

export const parentPort = null;
export const workerData = null;

/** What the modules of workers serve, by their file names, and by what a module with several services is to serve. */
export const WORKERS = new Map<string, (port: MessagePort) => void>();

/** Every worker that runs, so that a history can let one crash. */
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

  /** Ends the thread; `error`: it crashes. */
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

  /** Messages arrive in the order in which they were sent. */
  #at(lastMs: number): number {
    return Math.max(lastMs, this.#time.now() + present().random.integer(0, 20) / 100);
  }

  #later(process: Process, atMs: number, run: () => void): void {
    const time = this.#time;
    time.inside(process, () => time.after(atMs - time.now(), run));
  }
}
