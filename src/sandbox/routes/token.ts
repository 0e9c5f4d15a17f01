/**
 * The token endpoint (RFC 6749 sections 4.1.3, 5 and 6). Its response has no token_type, because the API documentation
 * lists none.
 */
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { SandboxEnv } from '../http/http.ts';
import { allowOnly } from '../http/http.ts';
import type { GrantResult } from '../state/tokens.ts';
import type { Service } from './service.ts';

export const tokenRoutes = ({ watch, stats, tokens, settings: { clientIds } }: Service): Hono<SandboxEnv> => {
  const answer = (c: Context, result: GrantResult): Response => {
    if ('granted' in result) return c.json(result.granted);
    if (result.replayed !== undefined) stats.violation(`${result.replayed}-replayed`);
    return refuse(c, 400, 'invalid_grant', result.refused);
  };

  const exchangeCode = (c: Context, form: URLSearchParams): Response => {
    const code = form.get('code');
    const redirectUri = form.get('redirect_uri');
    const clientId = form.get('client_id');
    if (code === null || redirectUri === null || clientId === null) {
      return refuse(c, 400, 'invalid_request', 'code, redirect_uri and client_id are required');
    }
    if (!clientIds.includes(clientId)) return refuse(c, 401, 'invalid_client', 'the client is not known');
    const codeVerifier = form.get('code_verifier') ?? undefined;
    return answer(c, tokens.redeemCode(code, { clientId, redirectUri, codeVerifier }));
  };

  const refresh = (c: Context, form: URLSearchParams): Response => {
    const refreshToken = form.get('refresh_token');
    if (refreshToken === null) return refuse(c, 400, 'invalid_request', 'refresh_token is required');
    const result = tokens.refresh(refreshToken, form.get('client_id') ?? undefined);
    if ('granted' in result) stats.tokenRefreshed();
    return answer(c, result);
  };

  const token = async (c: Context): Promise<Response> => {
    c.header('Cache-Control', 'no-store');
    if (!/^application\/x-www-form-urlencoded *(;|$)/i.test(c.req.header('content-type') ?? '')) {
      return refuse(c, 415, 'invalid_request', 'the body must be application/x-www-form-urlencoded');
    }
    const form = new URLSearchParams(await c.req.text());
    const repeated = [...form.keys()].find((name) => form.getAll(name).length > 1);
    if (repeated !== undefined) return refuse(c, 400, 'invalid_request', `${repeated} is given twice`);
    switch (form.get('grant_type')) {
      case 'authorization_code':
        return exchangeCode(c, form);
      case 'refresh_token':
        return refresh(c, form);
      case null:
        return refuse(c, 400, 'invalid_request', 'grant_type is required');
      default:
        return refuse(c, 400, 'unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
    }
  };

  return new Hono<SandboxEnv>().post('/oauth/token', watch('token'), token).all('/oauth/token', allowOnly('POST'));
};

const refuse = (c: Context, status: ContentfulStatusCode, error: string, error_description: string): Response =>
  c.json({ error, error_description }, status);
