// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { SeverityPanel } from '../features/overview/overview-page.tsx';
import { createTestWindow } from '../testing/render-query.tsx';
import { speakEnglish } from '../words/testing/speak-english.ts';
import { AppUi } from './app.tsx';

speakEnglish();

it('shows the worst severity first, however many points there are of the others', async () => {
  const { wrapper: Wrapper } = await createTestWindow({});
  const pointsBySeverity = [
    { value: 'INFO', count: 2905 },
    { value: 'MEDIUM', count: 924 },
    { value: 'CRITICAL', count: 12 },
  ];
  render(
    <Wrapper>
      <AppUi>
        <SeverityPanel overview={{ protocols: 240, assignmentsByStatus: [], pointsBySeverity, protocolsByMonth: [] }} />
      </AppUi>
    </Wrapper>,
  );
  const names = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(names.map((name) => /Critical|Medium|Info/.exec(name ?? '')?.[0])).toEqual(['Critical', 'Medium', 'Info']);
});
