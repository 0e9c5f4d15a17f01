/** Signing in. */
export const signIn = {
  title: 'Sign in',
  sample: 'Your browser opens the sign-in page of the sample service on this computer. You do not need a password.',
  service: 'Your browser opens the sign-in page of your service. Inspection Desk never sees your password.',
  browseOffline: 'Browse offline data',
  offline: 'You are viewing offline data.',
  waiting: 'Waiting for your browser…',
  openAgain: 'Open again',
  copyAddress: 'Copy address',
  copied: 'Address copied. Paste it into the browser you want to use.',
  notOpened: 'If no page has opened, open it again or copy its address into another browser on this computer.',
  finish: 'Complete the sign-in in your browser, then return to this window. You have {{minutes}} left.',
} as const;
