/** What the browser shows at the end of a sign-in over the loopback listener. */

type RedirectPage = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** An accepted callback, a refusal, or anything else. */
type RedirectOutcome = 'accepted' | 'refused' | 'unknown';

/** What the page says, as text without markup, in the language `locale` (a BCP 47 tag). */
export type RedirectWords = (outcome: RedirectOutcome) => {
  readonly locale: string;
  readonly title: string;
  readonly text: string;
};

/** The page for `outcome`; 404 for what is no callback. */
export const redirectPage = (outcome: RedirectOutcome, words: RedirectWords): RedirectPage => {
  const { locale, title, text } = words(outcome);
  return {
    status: outcome === 'unknown' ? 404 : 200,
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
<html lang="${locale}">
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
