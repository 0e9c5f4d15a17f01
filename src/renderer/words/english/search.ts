/** The search over everything. */
export const search = {
  everywhere: 'Search everywhere',
  label: 'Search protocols, assignments and uploads',
  hint: 'Type a part of an address, a city, a facility, a customer or a folder.',
  nothing: 'Nothing on this computer matches “{{text}}”.',
  nothingHint:
    'The search looks through what was opened or kept offline here. Search the protocol list to ask the service.',
  results_one: '{{count, number}} result',
  results_other: '{{count, number}} results',
  protocols: 'Protocols',
  assignments: 'Assignments',
  uploads: 'Uploads',
} as const;
