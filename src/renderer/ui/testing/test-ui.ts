import type { Ui } from '../ui-context.ts';

/** What components take from the app: nothing is stored, and nothing saved. */
export const testUi: Ui = {
  beginSheet: async () => undefined,
  report: () => {},
  useStored: () => [undefined, () => {}],
};
