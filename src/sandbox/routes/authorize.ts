/** The authorization endpoint and its consent page (RFC 6749 section 4.1.1, RFC 7636). */
import { type Context, Hono } from 'hono';
import type { Watch } from '../faults/watched.ts';
import type { SandboxEnv } from '../http/environment.ts';
import { allowOnly } from '../http/problem.ts';
import type { SampleUsers } from '../state/sample-users.ts';
import { randomSecret } from '../state/secrets.ts';
import type { CodeGrant, TokenStore } from '../state/tokens.ts';
import { consentPage, type Page, refusalPage } from './consent-page.ts';
import { consentWords } from './consent-words.ts';
import { isRegisteredRedirect } from './redirect-uris.ts';

const pendingTtlMs = 10 * 60_000;

interface PendingRequest extends CodeGrant {
  readonly state: string | undefined;
  readonly expiresAtMs: number;
}

/** The authorization routes, mounted at the root. */
export const authorizeRoutes = (dependencies: {
  readonly watch: Watch;
  readonly tokens: TokenStore;
  readonly users: SampleUsers;
  readonly now: () => number;
  readonly consent: 'page' | 'auto';
  readonly clientIds: readonly string[];
  readonly redirectUris: readonly string[];
}): Hono<SandboxEnv> => {
  const { watch, tokens, users, now, consent, clientIds, redirectUris } = dependencies;
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
    // No redirect before the client and the redirect_uri are known to belong together.
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
    // Unguessable and usable once, so that only a page that was shown can send the decision.
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

/** What is wrong with a request that can be answered at its redirect_uri (RFC 6749 section 4.1.2.1). */
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
