/** Replaces `undici`: connections lead to the service, the sign-in and the storage of the history. */
import { Dispatcher } from 'undici';
import { present } from '../present.ts';

export * from 'undici';

export class Agent extends Dispatcher {
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return present().dispatch(options, handler);
  }
  override close(): Promise<void> {
    return Promise.resolve();
  }
  override destroy(): Promise<void> {
    return Promise.resolve();
  }
}
