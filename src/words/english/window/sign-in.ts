/** Signing in. */
export const signIn = {
  title: 'Sign in',
  sample: 'Your browser opens the sign-in of the sample service on this computer. No password is needed.',
  service: 'Your browser opens the sign-in of your service. Inspection Desk never sees your password.',
  readKept: 'Read what is kept here',
  kept: 'What you see is kept on this computer.',
  waiting: 'Waiting for your browser…',
  openAgain: 'Open again',
  copyAddress: 'Copy address',
  copied: 'The address was copied. Paste it into the browser you want to use.',
  notOpened: 'No page has opened? Open it again, or copy its address into another browser on this computer.',
  finish: 'Finish the sign-in in your browser, then come back here. You have {{minutes}} left.',
} as const;
