/** The entry point: opens the window and renders the app. The only module that reads the window's bridge. */
import { notifyManager } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Bridge } from '../contract/calls.ts';
import { spokenOf } from '../words/languages.ts';
import { openWindow } from './queries/query.tsx';
import { App } from './shell/app.tsx';
import { followLanguage } from './state/follow-language.ts';
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
const { store, Provider } = openWindow(window.inspectionDesk);

await followLanguage(store, spokenOf(query.get('language')));
createRoot(root).render(
  <StrictMode>
    <Provider>
      <App />
    </Provider>
  </StrictMode>,
);

// Loads the code that is not loaded yet, after the first screen has had time to appear. Pages that are opened later
// then rarely wait for their code.
setTimeout(() => void loadRest(), 1_000);
