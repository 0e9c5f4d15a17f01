import { setFormats } from '../words/formats.ts';
import type { AppState, AppStore } from './store.ts';

const settingsOf = ({ projection: { snapshot } }: AppState) => snapshot?.preferences;

/**
 * Keeps the formats of dates and numbers as the person prefers them. To be called before anything is rendered, so that
 * whoever renders because of other preferences finds the formats changed.
 */
export const followFormats = (store: AppStore): (() => void) =>
  store.subscribe((state, before) => {
    const preferences = settingsOf(state);
    if (preferences === undefined || preferences === settingsOf(before)) return;
    setFormats({ ...preferences, systemLocale: state.projection.snapshot?.locale });
  });
