/** The search over everything. */
export const search = {
  everywhere: 'Search everywhere',
  label: 'Search protocols, assignments and uploads',
  hint: 'Type how a word of an address, a city, a facility, a customer or a folder begins.',
  nothing: 'Nothing on this computer matches “{{text}}”.',
  nothingHint: 'The search looks at the beginnings of words in what was opened or kept offline here.',
  askService: 'Search the protocols of the service',
  results_one: '{{count, number}} result',
  results_other: '{{count, number}} results',
  protocols: 'Protocols',
  assignments: 'Assignments',
  uploads: 'Uploads',
} as const;
