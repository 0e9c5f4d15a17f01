/** What the app is made of. */
export const licences = {
  title: 'Licences',
  search: 'Search packages',
  loading: 'Loading licences',
  count_one: 'Inspection Desk includes {{count, number}} third-party package.',
  count_other: 'Inspection Desk includes {{count, number}} third-party packages.',
  none: 'The list is created when the app is built: npm run build.',
  noMatch: 'No package matches “{{text}}”.',
} as const;
