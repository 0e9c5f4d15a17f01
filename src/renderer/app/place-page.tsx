import { AssignmentPage } from '../features/assignment/assignment-page.tsx';
import { OrderableEventsPage } from '../features/orderable-events/orderable-events-page.tsx';
import { ProjectsPage } from '../features/projects/projects-page.tsx';
import { ProtocolPage } from '../features/protocol/protocol-page.tsx';
import { ProtocolsPage } from '../features/protocols/protocols-page.tsx';
import { SettingsPage } from '../features/settings/settings-page.tsx';
import { SignInPage } from '../features/sign-in/sign-in-page.tsx';
import { BatchPage } from '../features/uploads/batch-page.tsx';
import { UploadsPage } from '../features/uploads/uploads-page.tsx';
import { useSnapshot } from './context.tsx';
import { needsSession, type Place } from './places.ts';

/** The page of `place`, or the sign-in where it needs one. */
export const PlacePage = ({ place }: { readonly place: Place }) => {
  const signedIn = useSnapshot(({ session }) => session.state === 'signed-in');
  if (!signedIn && needsSession(place)) return <SignInPage />;
  switch (place.name) {
    case 'protocols':
      return <ProtocolsPage />;
    case 'protocol':
      return <ProtocolPage protocol={place.protocol} />;
    case 'projects':
      return <ProjectsPage />;
    case 'assignment':
      return <AssignmentPage id={place.AssignmentId} summary={place.summary} />;
    case 'orderable-events':
      return <OrderableEventsPage />;
    case 'uploads':
      return <UploadsPage />;
    case 'batch':
      return <BatchPage id={place.batch} />;
    case 'settings':
      return <SettingsPage />;
  }
};
