import type { LeftOut } from '../../../contract/uploads.ts';

export const NOTHING_LEFT_OUT: LeftOut = { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 };

/** What both left out. */
export const sumOfLeftOut = (one: LeftOut, other: LeftOut): LeftOut => ({
  hidden: one.hidden + other.hidden,
  system: one.system + other.system,
  links: one.links + other.links,
  special: one.special + other.special,
  unreadable: one.unreadable + other.unreadable,
  ...((one.later ?? other.later) !== undefined && { later: (one.later ?? 0) + (other.later ?? 0) }),
});
