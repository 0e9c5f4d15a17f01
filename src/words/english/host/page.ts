/** What the browser shows at the end of a sign-in over the loopback listener. */
export const page = {
  accepted: {
    title: 'Signed in',
    text: 'Signed in. You can close this window.',
  },
  refused: {
    title: 'Not signed in',
    text: 'The sign-in was not completed. You can close this window.',
  },
  unknown: {
    title: 'Not found',
    text: 'This page does not exist.',
  },
} as const;
