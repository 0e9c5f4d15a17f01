/** Events from the host to its pages, as server-sent events. */
import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { DeskError } from '../../../contract/errors.ts';
import type { Desk } from '../../core/desk.ts';

export type EventChannel = {
  /** Answers a page that listens. */
  readonly connect: (c: Context) => Response;
  /** Sends the desk's events to every page. */
  readonly follow: (desk: Desk) => void;
  /** Has the newest page open `url` in a tab of its own. Rejects where there is no page. */
  readonly openInPage: (url: string) => Promise<void>;
  /** Has the newest page put `text` on the browser's clipboard. Rejects where there is no page. */
  readonly copyInPage: (text: string) => Promise<void>;
  /** Has the newest page download `path` of this host as `name`. Rejects where there is no page. */
  readonly downloadInPage: (path: string, name: string) => Promise<void>;
};

/** A channel without pages. */
export const createEventChannel = (): EventChannel => {
  const pages = new Set<SSEStreamingApi>();

  const connect = (c: Context): Response =>
    streamSSE(c, async (page) => {
      pages.add(page);
      await new Promise<void>((resolve) => page.onAbort(resolve));
      pages.delete(page);
    });

  const follow = (desk: Desk): void => {
    desk.onEvent((event) => {
      const data = JSON.stringify(event);
      for (const page of pages) void page.writeSSE({ event: 'desk', data });
    });
  };

  const tellNewest = async (event: string, data: string): Promise<void> => {
    const newest = [...pages].at(-1);
    if (newest === undefined) throw new DeskError('auth/browser', 'no page of the preview is open');
    await newest.writeSSE({ event, data });
  };

  return {
    connect,
    follow,
    openInPage: (url) => tellNewest('address', url),
    copyInPage: (text) => tellNewest('copy', text),
    downloadInPage: (path, name) => tellNewest('download', JSON.stringify({ path, name })),
  };
};
