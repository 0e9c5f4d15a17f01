import { Activity, Suspense } from 'react';
import { useApp } from '../state/context.tsx';
import { keptPlaces } from '../state/history.ts';
import { placeKey } from '../state/places.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { PlacePage } from './place-page.tsx';

const kept = 8;

/** The current page, and hidden behind it the nearest pages of the history. */
export const Pages = () => {
  const history = useApp((state) => state.history);
  return keptPlaces(history, kept).map((place) => (
    <Activity key={placeKey(place)} mode={placeKey(place) === placeKey(history.place) ? 'visible' : 'hidden'}>
      <ErrorBoundary>
        <Suspense>
          <PlacePage place={place} />
        </Suspense>
      </ErrorBoundary>
    </Activity>
  ));
};
