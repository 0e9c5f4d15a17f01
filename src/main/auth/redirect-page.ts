/** What the browser shows at the end of a sign-in over the loopback listener. */

type RedirectPage = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const texts = {
  accepted: [200, 'Signed in', 'Signed in. You can close this window.'],
  refused: [200, 'Not signed in', 'The sign-in was not completed. You can close this window.'],
  unknown: [404, 'Not found', 'This page does not exist.'],
} as const;

/** The page for an accepted callback, for a refusal, or for anything else (404). */
export const redirectPage = (outcome: keyof typeof texts): RedirectPage => {
  const [status, title, text] = texts[outcome];
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // The page loads nothing, and the code in its URL must not be sent anywhere.
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      connection: 'close',
    },
    body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title} - Inspection Desk</title>
<h1>Inspection Desk</h1>
<p>${text}</p>
</html>
`,
  };
};
