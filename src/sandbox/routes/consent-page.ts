/** The page on which a person allows or denies the sign-in, and the page for a request that is refused. */
import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { Language } from '../../contract/preferences.ts';
import type { SampleUser } from '../state/sample-users.ts';
import type { consentWords, RefusalReason } from './consent-words.ts';

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { display: grid; place-items: center; min-height: 100vh; margin: 0; }
  main { max-width: 26rem; padding: 2rem; border: 1px solid #8886; border-radius: 8px; }
  h1 { margin-top: 0; font-size: 1.4rem; }
  button { padding: .6rem 1.6rem; margin-right: .5rem; border: 1px solid #0f6cbd; border-radius: 4px; font: inherit; }
  button[value=allow] { background: #0f6cbd; color: #fff; }
  button[value=deny] { background: Canvas; color: CanvasText; }
  button:focus-visible { outline: 3px solid currentColor; outline-offset: 2px; }
`;

/** The headers of a page. */
export type Page = {
  readonly html: ReturnType<typeof html>;
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * The page on which `user` allows or denies a client's request, in the person's language; `requestId` returns with the
 * decision.
 */
export const consentPage = (
  { language, words }: ReturnType<typeof consentWords>,
  user: SampleUser,
  clientId: string,
  redirectUri: string,
  requestId: string,
): Page =>
  page(
    language,
    words.title,
    html`<p><strong>${clientId}</strong> ${words.asks}</p>
      <p>${user.name}<br />${user.company}</p>
      <form method="post" action="consent">
        <input type="hidden" name="request" value="${requestId}" />
        <button name="decision" value="allow">${words.allow}</button>
        <button name="decision" value="deny">${words.deny}</button>
      </form>`,
    // Browsers check the redirect that answers a form against form-action as well.
    `'self' ${redirectSource(new URL(redirectUri))}`,
  );

/** The page for a request whose redirect_uri must not be followed. */
export const refusalPage = ({ language, words }: ReturnType<typeof consentWords>, reason: RefusalReason): Page =>
  page(language, words.refused, html`<p>${words.reason[reason]}</p><p>${words.startAgain}</p>`);

const page = (language: Language, title: string, content: ReturnType<typeof html>, formAction = "'none'"): Page => ({
  html: html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>${raw(style)}</style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`,
  headers: {
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
      `form-action ${formAction}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  },
});

/** The redirect_uri's origin for a policy, or its scheme if a policy cannot express the origin. */
const redirectSource = ({ origin, protocol, hostname }: URL): string =>
  origin === 'null' || hostname.startsWith('[') ? protocol : origin;
