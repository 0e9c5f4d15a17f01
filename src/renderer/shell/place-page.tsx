import { useApp, useSnapshot } from '../state/context.tsx';
import { needsSession, type Place } from '../state/places.ts';
import { later } from '../ui/later.ts';

// Each page is a chunk of its own, so the first screen loads only what it needs.
const AssignmentPage = later(async () => (await import('../features/assignment/assignment-page.tsx')).AssignmentPage);
const DoctorPage = later(async () => (await import('../features/doctor/doctor-page.tsx')).DoctorPage);
const HelpPage = later(async () => (await import('../features/help/help-page.tsx')).HelpPage);
const LicencesPage = later(async () => (await import('../features/licences/licences-page.tsx')).LicencesPage);
const OrderableEventsPage = later(
  async () => (await import('../features/orderable-events/orderable-events-page.tsx')).OrderableEventsPage,
);
const OverviewPage = later(async () => (await import('../features/overview/overview-page.tsx')).OverviewPage);
const ProjectsPage = later(async () => (await import('../features/projects/projects-page.tsx')).ProjectsPage);
const ProtocolPage = later(async () => (await import('../features/protocol/protocol-page.tsx')).ProtocolPage);
const ProtocolsPage = later(async () => (await import('../features/protocols/protocols-page.tsx')).ProtocolsPage);
const NewUploadPage = later(async () => (await import('../features/new-upload/new-upload-page.tsx')).NewUploadPage);
const FilesPage = later(async () => (await import('../features/files/files-page.tsx')).FilesPage);
const SearchPage = later(async () => (await import('../features/search/search-page.tsx')).SearchPage);
const SettingsPage = later(async () => (await import('../features/settings/settings-page.tsx')).SettingsPage);
const BatchPage = later(async () => (await import('../features/uploads/batch-page.tsx')).BatchPage);
const UploadPage = later(async () => (await import('../features/uploads/upload-page.tsx')).UploadPage);
const SignInPage = later(async () => (await import('../features/sign-in/sign-in-page.tsx')).SignInPage);
const UploadsPage = later(async () => (await import('../features/uploads/uploads-page.tsx')).UploadsPage);
const WatchedFoldersPage = later(
  async () => (await import('../features/watched-folders/watched-folders-page.tsx')).WatchedFoldersPage,
);

/** The page of `place`, or the sign-in page if it needs a session. */
export const PlacePage = ({ place }: { readonly place: Place }) => {
  const signedIn = useSnapshot(({ session }) => session.state === 'signed-in');
  const browsesOffline = useApp((state) => state.browsesOffline);
  const isAsked = useApp(({ signInRequested, history }) => signInRequested && history.place === place);
  if (!signedIn && (isAsked || (!browsesOffline && needsSession(place)))) return <SignInPage />;
  switch (place.name) {
    case 'overview':
      return <OverviewPage />;
    case 'protocols':
      return <ProtocolsPage month={place.month} severity={place.severity} searched={place.text} />;
    case 'protocol':
      return <ProtocolPage protocol={place.protocol} severity={place.severity} />;
    case 'search':
      return <SearchPage text={place.text} />;
    case 'projects':
      return <ProjectsPage status={place.status} />;
    case 'assignment':
      return <AssignmentPage id={place.AssignmentId} summary={place.summary} />;
    case 'orderable-events':
      return <OrderableEventsPage />;
    case 'new-upload':
      return <NewUploadPage />;
    case 'uploads':
      return <UploadsPage />;
    case 'watched-folders':
      return <WatchedFoldersPage />;
    case 'files':
      return <FilesPage text={place.text} assignment={place.assignment} />;
    case 'batch':
      return <BatchPage id={place.batch} />;
    case 'upload':
      return <UploadPage id={place.upload} />;
    case 'settings':
      return <SettingsPage />;
    case 'help':
      return <HelpPage />;
    case 'doctor':
      return <DoctorPage />;
    case 'licences':
      return <LicencesPage />;
  }
};
