/** The screens with lists from the service, and the texts of their states. */
import { expect, type Page } from '@playwright/test';
import type { FaultRule } from '../../../src/sandbox/faults/fault-plan.ts';
import type { RouteName } from '../../../src/sandbox/http/http.ts';
import { firstRow, openSection } from './steps.ts';

type ReadingScreen = {
  readonly section: string;
  readonly route: RouteName;
  /** The name of the skeleton while the list loads. */
  readonly loading: string;
  readonly empty: string;
  /** A response without records. */
  readonly nothing: unknown;
  /** The name of the table. */
  readonly table: string;
};

const noItems = { Items: [], Count: 0, TotalCount: 0 };

export const readingScreens: readonly ReadingScreen[] = [
  {
    section: 'Assignments',
    route: 'list-project-assignments',
    loading: 'Loading assignments…',
    empty: 'No assignments are known on this computer yet.',
    nothing: noItems,
    table: 'Assignments',
  },
  {
    section: 'Inspections to order',
    route: 'list-orderable-events',
    loading: 'Loading inspections to order…',
    empty: 'There are no inspections to order.',
    nothing: [],
    table: 'Inspections to order',
  },
  {
    section: 'Protocols',
    route: 'list-protocols',
    loading: 'Loading protocols…',
    empty: 'There are no protocols yet.',
    nothing: { ...noItems, CurrentPage: 1 },
    table: 'Protocols',
  },
];

export const readScreen = async (page: Page, { section, table }: ReadingScreen): Promise<void> => {
  await openSection(page, section);
  await expect(firstRow(page, table)).toBeVisible();
};

/** Returns a rule for every request of each screen, and for the requests of a protocol's page. */
export const onEveryRead = (effectOf: (screen?: ReadingScreen) => FaultRule['effect']): readonly FaultRule[] => [
  ...readingScreens.map((screen) => ({ match: { route: screen.route }, effect: effectOf(screen) })),
  { match: { route: 'list-assignments' }, effect: effectOf() },
  { match: { route: 'list-inspection-points' }, effect: effectOf() },
];
