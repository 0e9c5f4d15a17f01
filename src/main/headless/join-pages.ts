/** All pages of the protocol list as one. */
import { DeskError } from '../../contract/errors.ts';
import type { Reading } from '../../contract/models.ts';
import type { ProtocolPage, ProtocolSummary } from '../../contract/resources.ts';

/** More than any contractor has. All of it is held in memory until it is written. */
export const JOINED = { pages: 10_000, protocols: 200_000, characters: 16 * 1024 * 1024 };

/** `cut`: why pages after these were not read. */
export type Joined = Reading<ProtocolPage> & { readonly cut?: DeskError };

/** The pages after `first` joined to it; ends when all are there, or a page brings nothing more. */
export const joinPages = async (
  first: Reading<ProtocolPage>,
  next: (page: number) => Promise<Reading<ProtocolPage>>,
  most = JOINED,
): Promise<Joined> => {
  const items: ProtocolSummary[] = [];
  const ids = new Set<string>();
  let characters = 0;
  /** Whether anything of the page was not there before. */
  const add = ({ value: { Items }, unreadable: more }: Reading<ProtocolPage>): boolean => {
    const before = ids.size;
    for (const item of Items) {
      items.push(item);
      ids.add(item.InspectionProtocolId);
      characters += lengthOf(item);
    }
    return ids.size > before || more > 0;
  };

  add(first);
  let { unreadable, source, fetchedAt } = first;
  let cut: DeskError | undefined;
  for (let pages = 1; items.length + unreadable < first.value.TotalCount; pages += 1) {
    if (pages >= most.pages || items.length >= most.protocols || characters >= most.characters) {
      cut = endless('the list has too many pages', pages);
      break;
    }
    const more = await next(first.value.CurrentPage + pages);
    if (more.value.Items.length + more.unreadable === 0) break;
    const kept = items.length;
    if (!add(more)) {
      items.length = kept;
      cut = endless('a page came again', pages);
      break;
    }
    unreadable += more.unreadable;
    fetchedAt = Math.min(fetchedAt, more.fetchedAt);
    if (more.source === 'cache') source = 'cache';
  }
  const value = { ...first.value, Items: items, Count: items.length };
  return { value, unreadable, source, fetchedAt, ...(cut && { cut }) };
};

const lengthOf = ({ Address, City, ZipCode, FacilityId, InspectionProtocolId }: ProtocolSummary): number =>
  Address.length + City.length + ZipCode.length + FacilityId.length + InspectionProtocolId.length;

const endless = (message: string, pages: number): DeskError =>
  new DeskError('service/endless', message, { details: { pages } });
