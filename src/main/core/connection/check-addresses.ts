import type { Dispatcher } from 'undici';
import { z } from 'zod';
import type { Connection, ConnectionCheck } from '../../../contract/connection.ts';
import { addressRefusal } from '../../../contract/connection.ts';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import { type ExchangeRequest, exchange } from '../../net/exchange.ts';
import { type HttpResponse, jsonIn } from '../../net/translate.ts';

/** The timeout of each request. It is short, because a user waits for the result in a form. */
const timeoutMs = 8_000;
/**
 * The maximum size of a response. If a response is longer, it is not read to its end, and the address counts as wrong.
 */
const maxResponseBytes = 256 * 1024;

/** An error of a token endpoint (RFC 6749 section 5.2). */
const TokenRefusal = z.object({ error: z.string() });

/**
 * Whether the response to a request without a token looks like the service's: a refusal or a list. Firewalls and
 * portals also respond with 403, but with a page.
 */
const looksLikeService = ({ status, text }: HttpResponse): boolean =>
  status === 401 ||
  (status === 403 && (text === '' || jsonIn(text) !== null)) ||
  (status === 200 && Array.isArray(jsonIn(text)));

/** Whether the response to a request without a grant is an OAuth error, as a token endpoint sends it. */
const looksLikeSignIn = ({ status, text }: HttpResponse): boolean =>
  (status === 400 || status === 401) && TokenRefusal.safeParse(jsonIn(text)).success;

/**
 * Sends each address a request that needs no token and changes nothing: a GET of a list to the service, and an empty
 * POST to the token endpoint. Redirects are not followed. Resolves to the error of each address that fails, such as
 * `input/invalid`, `connection/unexpected` (details `answer`) or `service/unreachable`. The detail `field` names the
 * address.
 * @throws DeskError `app/cancelled`
 */
export const checkAddresses = async (
  { baseUrl, authUrl }: Pick<Connection, 'baseUrl' | 'authUrl'>,
  dispatcher: Dispatcher,
  signal?: AbortSignal,
): Promise<ConnectionCheck> => {
  const check = async (
    field: keyof ConnectionCheck,
    address: string,
    path: string,
    request: Pick<ExchangeRequest, 'method' | 'headers' | 'body'>,
    isExpected: (response: HttpResponse) => boolean,
  ): Promise<ConnectionCheck> => {
    const refusal = addressRefusal(field, address);
    if (refusal) return { [field]: toErrorData(refusal) };
    try {
      const url = new URL(`${address.replace(/\/+$/, '')}${path}`);
      const response = await exchange(dispatcher, { ...request, url, signal, timeoutMs }, maxResponseBytes);
      return isExpected(response) ? {} : { [field]: unexpected(field, `HTTP ${response.status}`) };
    } catch (error) {
      if (signal?.aborted || !(error instanceof DeskError)) throw error;
      if (error.code === 'network/captive-portal') {
        return { [field]: unexpected(field, `HTTP ${error.details.status}`) };
      }
      if (error.code === 'service/too-large') return { [field]: unexpected(field, 'largePage') };
      // An error about a proxy keeps its own `field`, the name of the environment variable with the proxy.
      return { [field]: { ...toErrorData(error), details: { field, ...error.details } } };
    }
  };

  const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  const [service, signIn] = await Promise.all([
    check(
      'baseUrl',
      baseUrl,
      '/contractor/orderable-events',
      { method: 'GET', headers: { accept: 'application/json' } },
      looksLikeService,
    ),
    check('authUrl', authUrl, '/token', { method: 'POST', headers: form, body: '' }, looksLikeSignIn),
  ]);
  return { ...service, ...signIn };
};

const unexpected = (field: string, answer: string) =>
  toErrorData(
    new DeskError('connection/unexpected', 'another kind of server answers at this address', {
      details: { field, answer },
    }),
  );
