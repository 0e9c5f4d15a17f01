/** The help in the app; its text is the user guide's. */
export const help = {
  search: 'Search the help',
  contents: 'Contents',
  found_one: '{{count, number}} topic',
  found_other: '{{count, number}} topics',
  noMatch: 'No help topic matches “{{text}}”.',
} as const;
