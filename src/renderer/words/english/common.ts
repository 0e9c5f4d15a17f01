/** Words of more than one screen. */
export const common = {
  address: 'Address',
  cancel: 'Cancel',
  city: 'City',
  clearFilters: 'Clear filters',
  close: 'Close',
  dismiss: 'Dismiss',
  dismissAll: 'Dismiss all',
  facility: 'Facility',
  refresh: 'Refresh',
  resizeColumn: 'Drag, or click and click again, to change the width. Double-click for the usual width.',
  tryAgain: 'Try again',
  rawTime: 'As the service gave it: {{raw}}',
  unreadable_one: '{{count, number}} item could not be read and is not shown.',
  unreadable_other: '{{count, number}} items could not be read and are not shown.',
  fromCache: 'Shown from the cache.',
  fetched: 'Fetched {{age}} ({{at}}).',
} as const;
