/** The authorization endpoint and its consent page (RFC 6749 section 4.1.1, RFC 7636). */

import { createHash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { html, raw } from 'hono/html';
import { Language } from '../../contract/preferences.ts';
import { allowOnly, type SandboxEnv } from '../http/http.ts';
import { type CodeGrant, randomSecret, type SampleUser } from '../state/tokens.ts';
import type { Service } from './service.ts';

const pendingTtlMs = 10 * 60_000;

interface PendingRequest extends CodeGrant {
  readonly state: string | undefined;
  readonly expiresAtMs: number;
}

export const authorizeRoutes = ({ watch, tokens, users, now, settings }: Service): Hono<SandboxEnv> => {
  const { consent, clientIds, redirectUris } = settings;
  const pending = new Map<string, PendingRequest>();

  const allow = (c: Context, request: PendingRequest): Response =>
    sendBack(c, request.redirectUri, { code: tokens.issueCode(request), state: request.state });

  const ask = (c: Context, request: PendingRequest): Response | Promise<Response> => {
    for (const [id, { expiresAtMs }] of pending) if (expiresAtMs <= now()) pending.delete(id);
    const requestId = randomSecret();
    pending.set(requestId, request);
    return show(c, 200, consentPage(wordsFor(c), users.present(), request.clientId, request.redirectUri, requestId));
  };

  const authorize = (c: Context): Response | Promise<Response> => {
    const query = new URL(c.req.url).searchParams;
    // Until the client and the redirect_uri are checked, errors are shown on a page, because an unchecked redirect_uri
    // must not be followed.
    const clientId = onlyValue(query, 'client_id');
    if (clientId === undefined || !clientIds.includes(clientId)) {
      return show(c, 400, refusalPage(wordsFor(c), 'client'));
    }
    const redirectUri = onlyValue(query, 'redirect_uri');
    if (redirectUri === undefined || !isRegisteredRedirect(redirectUris, redirectUri)) {
      return show(c, 400, refusalPage(wordsFor(c), 'redirect'));
    }
    const state = onlyValue(query, 'state');
    const fault = requestFault(query);
    if (fault !== undefined) return sendBack(c, redirectUri, { ...fault, state });
    const codeChallenge = onlyValue(query, 'code_challenge');
    const request = { clientId, redirectUri, codeChallenge, state, expiresAtMs: now() + pendingTtlMs };
    return consent === 'auto' ? allow(c, request) : ask(c, request);
  };

  const decide = async (c: Context): Promise<Response> => {
    const form = new URLSearchParams(await c.req.text());
    // The id cannot be guessed and can be used only once, so only the consent page that was shown can send the
    // decision.
    const requestId = form.get('request') ?? '';
    const request = pending.get(requestId);
    pending.delete(requestId);
    if (request === undefined || request.expiresAtMs <= now()) {
      return show(c, 400, refusalPage(wordsFor(c), 'expired'));
    }
    if (form.get('decision') === 'allow') return allow(c, request);
    return sendBack(c, request.redirectUri, { error: 'access_denied', state: request.state });
  };

  return new Hono<SandboxEnv>()
    .get('/oauth/authorize', watch('authorize'), authorize)
    .all('/oauth/authorize', allowOnly('GET'))
    .post('/oauth/consent', decide)
    .all('/oauth/consent', allowOnly('POST'));
};

/**
 * Returns the error of a request, in the form in which it is sent to the redirect_uri (RFC 6749 section 4.1.2.1);
 * undefined if the request is correct.
 */
const requestFault = (query: URLSearchParams): { error: string; error_description: string } | undefined => {
  const repeated = [...query.keys()].find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) return invalidRequest(`${repeated} is given twice`);
  const responseType = query.get('response_type');
  if (responseType === null) return invalidRequest('response_type is missing');
  if (responseType !== 'code') {
    return { error: 'unsupported_response_type', error_description: 'response_type must be code' };
  }
  const challenge = query.get('code_challenge');
  const method = query.get('code_challenge_method');
  if (challenge === null) return method === null ? undefined : invalidRequest('code_challenge is missing');
  if (method !== 'S256') return invalidRequest('code_challenge_method must be S256');
  return /^[\w-]{43}$/.test(challenge) ? undefined : invalidRequest('code_challenge is not an S256 challenge');
};

const invalidRequest = (error_description: string) => ({ error: 'invalid_request', error_description });

const wordsFor = (c: Context) => consentWords(c.req.header('accept-language'));

const onlyValue = (query: URLSearchParams, name: string): string | undefined => {
  const values = query.getAll(name);
  return values.length === 1 ? values[0] : undefined;
};

const sendBack = (c: Context, redirectUri: string, answer: Readonly<Record<string, string | undefined>>): Response => {
  const target = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) target.searchParams.append(name, value);
  c.header('Cache-Control', 'no-store');
  // 303: the browser must not repeat a form's POST at the redirect_uri (RFC 9700 section 4.12).
  return c.redirect(target.href, c.req.method === 'POST' ? 303 : 302);
};

const show = (c: Context, status: 200 | 400, page: Page): Response | Promise<Response> =>
  c.html(page.html, status, { ...page.headers });

/**
 * Whether a redirect_uri is registered: it equals or matches an entry of `registered`. An http entry with 127.0.0.1 or
 * [::1] matches every port (RFC 8252 section 7.3), and an entry that ends in `/*` matches every path below it. A URI
 * with a fragment or a user is never registered.
 */
const isRegisteredRedirect = (registered: readonly string[], redirectUri: string): boolean => {
  if (!URL.canParse(redirectUri)) return false;
  const wanted = new URL(redirectUri);
  if (redirectUri.includes('#') || wanted.username !== '' || wanted.password !== '') return false;
  return registered.some((entry) => entry === redirectUri || matchesPattern(new URL(entry), wanted));
};

const matchesPattern = (entry: URL, wanted: URL): boolean => {
  const isLoopback = entry.protocol === 'http:' && ['127.0.0.1', '[::1]'].includes(entry.hostname);
  const sameOrigin =
    entry.protocol === wanted.protocol &&
    entry.hostname === wanted.hostname &&
    (isLoopback || entry.port === wanted.port);
  const anyPath = entry.pathname.endsWith('/*') && wanted.pathname.startsWith(entry.pathname.slice(0, -1));
  return (
    sameOrigin && (anyPath || (isLoopback && entry.pathname === wanted.pathname && entry.search === wanted.search))
  );
};

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

type Page = {
  readonly html: ReturnType<typeof html>;
  readonly headers: Readonly<Record<string, string>>;
};

const consentPage = (
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
    // The redirect_uri is listed because some browsers, such as Chrome, also check the redirect after a form submission
    // against form-action.
    `'self' ${redirectSource(new URL(redirectUri))}`,
  );

/**
 * Creates the page that is shown instead of a redirect if the redirect_uri of a request must not be followed, or if the
 * request has expired.
 */
const refusalPage = ({ language, words }: ReturnType<typeof consentWords>, reason: RefusalReason): Page =>
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

/**
 * Returns the source expression for the redirect_uri in the Content-Security-Policy: its origin, or only its scheme if
 * the policy cannot express the origin (a custom scheme, IPv6).
 */
const redirectSource = ({ origin, protocol, hostname }: URL): string =>
  origin === 'null' || hostname.startsWith('[') ? protocol : origin;

const english = {
  title: 'Sign in to Sample Inspection Service',
  /** The name of the application precedes this text, and the name of the user follows it. */
  asks: 'asks to work with the inspections and documents of:',
  allow: 'Allow',
  deny: 'Deny',
  refused: 'This sign-in cannot continue',
  startAgain: 'Close this page and start again in the application.',
  reason: {
    client: 'The application (client_id) is not known here.',
    redirect: 'The return address (redirect_uri) is not registered for this application.',
    expired: 'This page has expired or was answered before.',
  },
};

type ConsentWords = typeof english;

/** Why a request is refused on a page instead of at its redirect_uri. */
type RefusalReason = keyof ConsentWords['reason'];

const catalog: Readonly<Record<Language, ConsentWords>> = {
  en: english,
  sv: {
    title: 'Logga in i Sample Inspection Service',
    asks: 'vill arbeta med besiktningar och dokument för:',
    allow: 'Tillåt',
    deny: 'Neka',
    refused: 'Inloggningen kan inte fortsätta',
    startAgain: 'Stäng sidan och börja om i programmet.',
    reason: {
      client: 'Programmet (client_id) är okänt här.',
      redirect: 'Returadressen (redirect_uri) är inte registrerad för programmet.',
      expired: 'Sidan har gått ut eller har redan besvarats.',
    },
  },
  de: {
    title: 'Bei Sample Inspection Service anmelden',
    asks: 'möchte auf die Prüfungen und Dokumente dieser Person zugreifen:',
    allow: 'Zulassen',
    deny: 'Ablehnen',
    refused: 'Diese Anmeldung kann nicht fortgesetzt werden',
    startAgain: 'Schließen Sie diese Seite, und beginnen Sie in der Anwendung von vorn.',
    reason: {
      client: 'Die Anwendung (client_id) ist hier nicht bekannt.',
      redirect: 'Die Rücksprungadresse (redirect_uri) ist für diese Anwendung nicht registriert.',
      expired: 'Diese Seite ist abgelaufen oder wurde bereits beantwortet.',
    },
  },
};

/**
 * Returns the words in the language that `acceptLanguage` names first (RFC 9110 section 12.5.4; weights are ignored),
 * or in English if the app lacks that language.
 */
const consentWords = (acceptLanguage = ''): { readonly language: Language; readonly words: ConsentWords } => {
  const language = Language.safeParse(acceptLanguage.trim().slice(0, 2).toLowerCase()).data ?? 'en';
  return { language, words: catalog[language] };
};
