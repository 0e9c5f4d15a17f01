/** What administrators read of each key of the policy, in their tools and in their guide. */
export const policy = {
  app: 'Inspection Desk',
  supported: 'Windows 10 or newer',
  group: {
    connection: 'Connection',
    network: 'Network',
    updates: 'Updates',
    desktop: 'Desktop',
    uploads: 'Uploads',
    cache: 'Offline data',
    signOut: 'Sign-out',
    log: 'Log',
    sampleData: 'Sample data',
  },
  key: {
    'connection.baseUrl': ['Service address', 'The https address of the inspection service.'],
    'connection.authUrl': ['Sign-in address', 'The https address at which people sign in.'],
    'connection.clientId': ['Client ID', 'The client ID that the service has given this app.'],
    'connection.redirectUri': [
      'Redirect address',
      'The redirect address that is registered for the client ID, if it is not that of the app.',
    ],
    'connection.scope': [
      'Scope',
      'The scope to request when people sign in: words separated by single spaces. Only if the service requires it.',
    ],
    'connection.sendClientIdOnRefresh': [
      'Send the client ID when renewing the sign-in',
      'If this is not set, the app sends it only when the service requires it.',
    ],
    'network.proxy.mode': [
      'Proxy',
      'system: the proxy settings of the system (the usual choice). none: no proxy. manual: the proxy below. Required if any other key of the proxy is set.',
    ],
    'network.proxy.address': [
      'Proxy address',
      'The address of the proxy if the mode is manual: http://host:port, https://host:port or socks5://host:port, without a password.',
    ],
    'network.proxy.exceptions': [
      'Proxy exceptions',
      'Servers that are reached without the proxy, one per line: *.example.com, 10.0.0.0/8, host:port.',
    ],
    'network.caFile': [
      'Additional trusted certificates',
      'The full path of a PEM file with certificates to trust in addition to those of the system.',
    ],
    'updates.mode': [
      'Updates',
      'automatic: updates are installed when the app is closed. off: the app never looks for updates.',
    ],
    'updates.channel': ['Update channel', 'latest: released versions. beta: preview versions as well.'],
    'updates.address': [
      'Update address',
      'The https address of a server for updates, if your organisation provides them.',
    ],
    'desktop.tray': [
      'Icon in the notification area',
      'Shows the state of uploads in the notification area or the menu bar.',
    ],
    'desktop.keepUploading': [
      'Keep uploading when the window is closed',
      'If this is off, closing the window ends the app.',
    ],
    'desktop.startAtSignIn': [
      'Start when signing in to the computer',
      'Starts the app without a window when people sign in.',
    ],
    'uploads.limit.bytesPerSecond': ['Upload speed', 'The limit for all uploads of the app, in bytes per second.'],
    'uploads.limit.schedule': [
      'Upload speed by time of day',
      'Periods with limits of their own, one per line as JSON. The first that matches applies. Days: 0 is Sunday.',
    ],
    'uploads.leaveRoom': [
      'Leave room for others',
      'When uploads give way to other traffic: in working hours (Monday to Friday, 7:00 to 18:00), always or never.',
    ],
    'uploads.concurrency': ['Files uploaded at once', 'A number from 1 to 64, or auto.'],
    'uploads.hours': [
      'Upload hours',
      'When uploads may run, one period per line as JSON; a period may cross midnight. Days: 0 is Sunday.',
    ],
    'cache.limitMegabytes': [
      'Maximum size of offline data',
      'The maximum disk space for the offline data of each user, in megabytes. What was used least recently is removed first.',
    ],
    'signOut.erases': [
      'What a sign-out erases',
      'session: the sign-in. offline-data: also the offline data of the service on this computer.',
    ],
    'log.level': ['Log level', 'The least important messages that are logged.'],
    sampleData: ['Sample data', 'If this is off, people cannot explore the app with sample data.'],
  },
} as const;
