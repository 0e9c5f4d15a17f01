// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Snapshot } from '../../../contract/app.ts';
import type { InspectionPoint } from '../../../contract/resources.ts';
import { emptySnapshot } from '../../testing/fake-bridge.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { ProtocolPage } from './protocol-page.tsx';

speakEnglish();

const pointOf = (InspectionPointName: string, more: Partial<InspectionPoint> = {}): InspectionPoint => ({
  ProtocolInspectionPointId: InspectionPointName,
  InspectionPointName,
  ProductType: '',
  Category: '',
  Answer: '',
  SpecificReference: '',
  Severity: '',
  Description: '',
  HasImage: false,
  ...more,
});

const protocol = {
  Address: 'Mill Street 1',
  City: 'York',
  ZipCode: '',
  FacilityId: 'F',
  InspectionProtocolId: 'p',
  InspectionDate: 1,
  Points: 3,
};

it('shows the protocol as it was last read, not as it was when the page was opened', async () => {
  await renderPage(<ProtocolPage protocol={protocol} />, {
    protocols: { get: () => ({ ...protocol, Address: 'Mill Street 2', availableOffline: true, fetchedAtMs: 2 }) },
  });
  expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('Mill Street 1');
  await screen.findByText('Mill Street 2');
});

/** Shows the page of a protocol with `points`. `views`: what was stored by an earlier run of the app. */
const show = async (points: readonly InspectionPoint[], views: Snapshot['views'] = {}) => {
  const reading = { unreadable: 0, source: 'service', fetchedAtMs: 1 } as const;
  await renderPage(<ProtocolPage protocol={protocol} />, {
    app: { snapshot: () => ({ ...emptySnapshot, views }) },
    protocols: {
      assignments: () => ({ ...reading, value: { Items: [], Count: 0, TotalCount: 0 } }),
      inspectionPoints: () => ({ ...reading, value: [...points] }),
    },
  });
  await screen.findByRole('tab', { name: /^All/ });
  const select = (label: string) => screen.getByRole<HTMLSelectElement>('combobox', { name: label });
  return {
    /** The names of the points in the list. */
    listed: () => [...document.querySelectorAll('[data-result] button')].map(({ textContent }) => textContent),
    showAll: () => fireEvent.click(screen.getByRole('tab', { name: /^All/ })),
    offered: (label: string) => [...select(label).options].map(({ text }) => text).slice(1),
    choose: (label: string, text: string) => {
      const option = [...select(label).options].find((one) => one.text === text);
      fireEvent.change(select(label), { target: { value: option?.value } });
    },
    search: (text: string) => fireEvent.change(screen.getByRole('searchbox'), { target: { value: text } }),
  };
};

it('begins with the points that were chosen last', async () => {
  const { listed } = await show([pointOf('Roof')], { 'protocol.points': 'all' });
  expect(listed()).toEqual(['Roof']);
});

it('sorts the worst first, a word that is not known after medium, and keeps the order of the service otherwise', async () => {
  const shuffled = ['LOW', 'K2', 'MEDIUM', 'Major', 'CRITICAL', 'high', 'Warning'];
  const { listed } = await show(shuffled.map((Severity) => pointOf(Severity, { Severity })));
  expect(listed()).toEqual(['CRITICAL', 'Major', 'high', 'MEDIUM', 'Warning', 'K2', 'LOW']);
});

it('takes these severities alone for no remark, but any description', async () => {
  const severities = ['', ' ', 'INFO', 'Note', 'Observation', 'OK', 'none', 'Ingen', 'Hinweis'];
  const { listed } = await show(
    severities.flatMap((Severity) => [
      pointOf(`${Severity} alone`, { Severity }),
      pointOf(`${Severity} and a line break`, { Severity, Description: ' \n' }),
      pointOf(`${Severity} described`, { Severity, Description: 'Door is held open.' }),
    ]),
  );
  expect(listed().toSorted()).toEqual(severities.map((severity) => `${severity} described`).toSorted());
});

const points = [
  pointOf('low', { Severity: 'Low', Answer: 'No' }),
  pointOf('pictured', { Severity: 'High', Answer: 'No', HasImage: true }),
  pointOf('high', { Severity: 'High', Answer: 'Yes' }),
];

it('offers the severities and answers of the points, the worst first, and otherwise in alphabetical order', async () => {
  const { offered } = await show([...points, pointOf('faulty', { Severity: 'High', Answer: 'Faulty' })]);
  expect(offered('Severity')).toEqual(['High', 'Low']);
  expect(offered('Answer')).toEqual(['Faulty', 'Yes', 'No']);
});

it('lists what meets every condition', async () => {
  const { listed, choose, showAll } = await show(points);
  showAll();
  expect(listed()).toEqual(['low', 'pictured', 'high']);
  choose('Severity', 'High');
  expect(listed()).toEqual(['pictured', 'high']);
  choose('Answer', 'No');
  expect(listed()).toEqual(['pictured']);
  choose('Answer', 'All answers');
  fireEvent.click(screen.getByRole('checkbox'));
  expect(listed()).toEqual(['pictured']);
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(listed()).toHaveLength(3);
});

it('finds the words of a point, without capitals and marks', async () => {
  const more = { Description: 'Über der Tür undicht', SpecificReference: 'R-17' };
  const { listed, search, showAll } = await show([...points, pointOf('Dach', more)]);
  showAll();
  search('uber TUR');
  expect(listed()).toEqual(['Dach']);
  search(' r-17 dach ');
  expect(listed()).toEqual(['Dach']);
  search('dach fenster');
  expect(listed()).toEqual([]);
  search('  ');
  expect(listed()).toHaveLength(4);
});

it('groups all points by category in the order of the service', async () => {
  const categories = { one: 'Roof', two: '', three: 'Roof', four: 'Fire' };
  const { listed, showAll } = await show(
    Object.entries(categories).map(([name, Category]) => pointOf(name, { Category })),
  );
  showAll();
  const groups = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
  expect(groups).toEqual([
    expect.stringMatching(/^Roof.*2/),
    expect.stringMatching(/^No category.*1/),
    expect.stringMatching(/^Fire.*1/),
  ]);
  expect(listed()).toEqual(['one', 'three', 'two', 'four']);
});

it.each([
  'x'.repeat(10_000),
  'שלום עולם',
  '\u202Eevil',
  '👩‍👩‍👧‍👦🏠',
  '<img src=x onerror=alert(1)>',
  '$t(common.close)',
])('takes any text of the service as it comes: %.20s', async (text) => {
  const { listed, choose } = await show([
    pointOf(text, { Severity: text, Answer: text, Category: text, Description: text }),
  ]);
  expect(listed()).toEqual([text]);
  choose('Answer', text);
  expect(listed()).toEqual([text]);
});

it('opens a point by a key while text is selected elsewhere, but not by the click that ends a selection', async () => {
  const selected = vi.spyOn(window, 'getSelection').mockReturnValue({ isCollapsed: false } as Selection);
  onTestFinished(() => selected.mockRestore());
  const { showAll } = await show([pointOf('one')]);
  showAll();
  const point = screen.getByRole('button', { name: 'one' });
  fireEvent.click(point, { detail: 1 });
  expect(point.getAttribute('aria-expanded')).toBe('false');
  fireEvent.click(point, { detail: 0 });
  expect(point.getAttribute('aria-expanded')).toBe('true');
});
