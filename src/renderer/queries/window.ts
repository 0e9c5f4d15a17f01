/** A part of a long list: whole steps of rows around those in view, so that scrolling by a few rows asks nothing. */
export type Window = { readonly offset: number; readonly limit: number };

/** Rows in view mostly lie within one step: a short answer is there sooner. */
const stepRows = 50;

/** Rows this near to those in view are asked for before they come into it. */
const nearRows = 20;

/** The window that holds the rows from `first` to `last` and those near them. */
export const windowAround = (first: number, last: number): Window => {
  const from = Math.floor(Math.max(0, first - nearRows) / stepRows);
  const to = Math.floor((Math.max(first, last) + nearRows) / stepRows);
  return { offset: from * stepRows, limit: (to - from + 1) * stepRows };
};
