// @vitest-environment happy-dom
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ComponentType, ReactNode } from 'react';
import { expect, it } from 'vitest';
import type { ProtocolPage, ProtocolSummary, Reading } from '../../../contract/resources.ts';
import { marksIn } from '../../../contract/search.ts';
import { createTestWindow } from '../../testing/render-query.tsx';
import { testUi } from '../../ui/testing/test-ui.ts';
import { UiProvider } from '../../ui/ui-context.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { SearchPanel } from './search-dialog.tsx';

speakEnglish();

const protocolAt = (Address: string): ProtocolSummary => ({
  ...{ Address, InspectionProtocolId: Address, City: '', ZipCode: '', FacilityId: '' },
  ...{ InspectionDate: 1, Points: 0 },
});

const show = (Wrapper: ComponentType<{ readonly children: ReactNode }>) => {
  render(
    <Wrapper>
      <UiProvider value={{ ...testUi(), marksIn }}>
        <SearchPanel onClose={() => {}} />
      </UiProvider>
    </Wrapper>,
  );
  return screen.getByRole('combobox');
};

it('B28: what a person has moved to stays highlighted when the service adds results before it', async () => {
  const answer = Promise.withResolvers<void>();
  let addresses = ['Mill Street 1', 'Mill Street 2'];
  const { wrapper } = await createTestWindow({
    files: { find: () => ({ files: [], total: 0, isMore: false }), cancelSentBefore: () => undefined },
    search: {
      find: () => {
        const protocols = addresses.map(protocolAt);
        return { protocols, protocolTotal: protocols.length, assignments: [], assignmentTotal: 0, cached: 2 };
      },
    },
    protocols: {
      list: async (): Promise<Reading<ProtocolPage>> => {
        await answer.promise;
        addresses = ['Mill Lane 1', ...addresses];
        const Items = addresses.map(protocolAt);
        const value = { Items, Count: 3, TotalCount: 3, CurrentPage: 1 };
        return { value, unreadable: 0, source: 'service', fetchedAtMs: 1 };
      },
    },
  });
  const field = show(wrapper);
  fireEvent.change(field, { target: { value: 'mill' } });
  const highlighted = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent;
  await waitFor(() => expect(highlighted()).toContain('Mill Street 1'));
  fireEvent.keyDown(field, { key: 'ArrowDown' });
  expect(highlighted()).toContain('Mill Street 2');
  await act(async () => answer.resolve());
  await screen.findByText(/Lane 1/);
  expect(highlighted()).toContain('Mill Street 2');
  // Why each was found.
  const marks = [...document.querySelectorAll('[role="option"] mark')].map(({ textContent }) => textContent);
  expect(marks).toEqual(['Mill', 'Mill', 'Mill']);
});
