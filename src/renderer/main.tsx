/** The entry point: creates the stores and renders the app. The only module that reads the window's bridge. */
import { notifyManager } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Bridge } from '../contract/calls.ts';
import { spokenOf } from '../words/languages.ts';
import { createQueries, QueriesProvider } from './queries/query.tsx';
import { App } from './shell/app.tsx';
import { followLanguage } from './state/follow-language.ts';
import { AppProvider, createAppStore, createDeskClient, createViewsStore, followDesk } from './state/store.tsx';
import { loadRest } from './ui/lazy.tsx';

declare global {
  interface Window {
    /** The host sets the bridge before this script runs. */
    readonly inspectionDesk: Bridge;
  }
}

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no #root');

const query = new URLSearchParams(location.search);
const frame = query.get('frame');
if (frame !== null) document.documentElement.dataset.frame = frame;

// Passes query results to components in a microtask. The default is a timer, which would delay rendering.
notifyManager.setScheduler(queueMicrotask);
const queries = createQueries();
const desk = createDeskClient(window.inspectionDesk, queries.refreshAfterCall);
const store = createAppStore(desk);
const views = createViewsStore(desk, store);
followDesk(store, desk);
queries.follow(store);

await followLanguage(store, spokenOf(query.get('language')));
createRoot(root).render(
  <StrictMode>
    <AppProvider desk={desk} store={store} views={views}>
      <QueriesProvider client={queries.client} desk={desk}>
        <App />
      </QueriesProvider>
    </AppProvider>
  </StrictMode>,
);

// Loads the code that is not loaded yet, after the first screen has had time to appear. Pages that are opened later
// then rarely wait for their code.
setTimeout(() => void loadRest(), 1_000);
