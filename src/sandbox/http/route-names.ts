/** The names under which requests are counted and faults are matched: the eight operations, then the rest. */
export const routeNames = [
  'list-protocols',
  'list-assignments',
  'list-inspection-points',
  'list-project-assignments',
  'sign-upload',
  'remove-file',
  'update-plan-after',
  'list-orderable-events',
  'authorize',
  'token',
  'storage-put',
] as const;
export type RouteName = (typeof routeNames)[number];

/** True for the eight operations under /contractor, which are called with an access token. */
export const isOperation = (route: RouteName): boolean => !['authorize', 'token', 'storage-put'].includes(route);
