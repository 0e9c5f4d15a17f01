/** The first screen and the form for the service's addresses. */
export const connection = {
  welcome: 'Welcome to Inspection Desk',
  lead: 'Browse inspection protocols and assignments, also without a network, and upload whole folders of documents to them.',
  sample: 'Explore with sample data',
  sampleNote: 'The sample data stays on this computer. You can connect to your service at any time in the settings.',
  title: 'Connect to a service',
  values: 'You get these three values from the administrator of your service.',
  connect: 'Connect',
  field: { baseUrl: 'Service address', authUrl: 'Sign-in address', clientId: 'Client ID' },
  wrong: {
    baseUrl: 'Enter the whole address of the service, starting with https://.',
    authUrl: 'Enter the whole address of the sign-in, starting with https://.',
    clientId: 'Enter the client ID that the service gave you for this app.',
  },
} as const;
