/** What the app is made of. */
export const licences = {
  title: 'Licences',
  search: 'Search packages',
  loading: 'Loading licences',
  count_one: '{{count, number}} package by others is part of Inspection Desk.',
  count_other: '{{count, number}} packages by others are part of Inspection Desk.',
  none: 'The list is made when the app is built: npm run build.',
  noMatch: 'No package matches “{{text}}”.',
} as const;
