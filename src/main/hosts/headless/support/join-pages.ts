/** All pages of the protocol list as one, whose protocols are passed on as they arrive. */
import { DeskError } from '../../../../contract/errors.ts';
import type { Reading } from '../../../../contract/resources.ts';
import { MAX_PAGES, type ProtocolPage, type ProtocolSummary } from '../../../../contract/resources.ts';

/** `protocols`: more than any contractor has. `characters`: of the ids, which are held to know a page that comes again. */
const JOINED = { pages: MAX_PAGES, protocols: 200_000, characters: 16 * 1024 * 1024 };

/** The page that all pages together are, without its protocols. `cut`: why those that follow were not read. */
type Joined = Reading<Omit<ProtocolPage, 'Items'>> & { readonly cut?: DeskError };

type JoinedPages = {
  /** Once. Ends when all are there, when a page brings nothing more, and where the list is cut: it does not throw then. */
  readonly items: () => AsyncGenerator<ProtocolSummary, void>;
  /** The pages read so far; complete once `items` has ended. */
  readonly joined: () => Joined;
};

/** The pages after `first` joined to it. What `next` throws as a `DeskError` cuts the list. */
export const joinPages = (
  first: Reading<ProtocolPage>,
  next: (page: number) => Promise<Reading<ProtocolPage>>,
  most = JOINED,
): JoinedPages => {
  const { Items: _, ...page } = first.value;
  const ids = new Set<string>();
  let characters = 0;
  let Count = 0;
  /** As the newest page has it: protocols come and go while the list is read. */
  let { TotalCount } = page;
  let { unreadable, source, fetchedAtMs } = first;
  let cut: DeskError | undefined;

  /** Whether anything of the page was not there before. */
  const isNew = ({ value: { Items }, unreadable: more }: Reading<ProtocolPage>): boolean => {
    const before = ids.size;
    for (const { InspectionProtocolId: id } of Items) {
      if (!ids.has(id)) characters += id.length;
      ids.add(id);
    }
    return ids.size > before || more > 0;
  };

  /** The page after `pages` of them; undefined where that was the last one, or the list is cut here. */
  const following = async (pages: number): Promise<Reading<ProtocolPage> | undefined> => {
    if (pages >= most.pages || Count >= most.protocols || characters >= most.characters) {
      throw endless('the list has too many pages', pages);
    }
    const more = await next(page.CurrentPage + pages);
    if (more.value.Items.length + more.unreadable === 0) return undefined;
    if (!isNew(more)) throw endless('a page came again', pages);
    ({ TotalCount } = more.value);
    unreadable += more.unreadable;
    fetchedAtMs = Math.min(fetchedAtMs, more.fetchedAtMs);
    if (more.source === 'cache') source = 'cache';
    return more;
  };

  return {
    items: async function* () {
      isNew(first);
      let reading: Reading<ProtocolPage> | undefined = first;
      for (let pages = 1; reading; pages += 1) {
        Count += reading.value.Items.length;
        yield* reading.value.Items;
        if (Count + unreadable >= TotalCount) return;
        try {
          reading = await following(pages);
        } catch (error) {
          if (!(error instanceof DeskError)) throw error;
          cut = error;
          return;
        }
      }
    },
    joined: () => ({ value: { ...page, Count, TotalCount }, unreadable, source, fetchedAtMs, ...(cut && { cut }) }),
  };
};

const endless = (message: string, pages: number): DeskError =>
  new DeskError('service/endless', message, { details: { pages } });
