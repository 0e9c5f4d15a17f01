/** A minimal client of the sandbox for its tests, without retries or checks. */
import {
  type AssignmentList,
  isClosed,
  type ProtocolPage,
  type TokenResponse,
  type UploadSignature,
} from '../../contract/resources.ts';
import type { Sandbox } from '../server.ts';

/** A redirect_uri that every sandbox accepts by default. No server listens at it. */
export const testRedirectUri = 'http://127.0.0.1:1/callback';

/** Returns the authorization URL. `extra` adds or replaces parameters; undefined removes one. */
export const authorizeUrl = (
  sandbox: Pick<Sandbox, 'authUrl' | 'clientId'>,
  extra: Readonly<Record<string, string | undefined>> = {},
): string => {
  const parameters = {
    client_id: sandbox.clientId,
    redirect_uri: testRedirectUri,
    response_type: 'code',
    state: 'st-1',
    ...extra,
  };
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${sandbox.authUrl}/authorize?${new URLSearchParams(given)}`;
};

/** Requests a code from a sandbox with consent `auto`. Resolves to the parameters of the callback. */
export const authorize = async (
  sandbox: Sandbox,
  extra: Readonly<Record<string, string | undefined>> = {},
): Promise<URLSearchParams> => {
  const response = await fetch(authorizeUrl(sandbox, extra), { redirect: 'manual' });
  return new URL(response.headers.get('location') ?? 'missing:').searchParams;
};

export const postToken = (sandbox: Sandbox, form: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(`${sandbox.authUrl}/token`, { method: 'POST', body: new URLSearchParams(form) });

/** Exchanges a code; `extra` overrides the default parameters. */
export const redeem = (
  sandbox: Sandbox,
  code: string,
  extra: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  postToken(sandbox, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: testRedirectUri,
    client_id: sandbox.clientId,
    ...extra,
  });

/** Signs in to a sandbox with consent `auto`. */
export const signIn = async (sandbox: Sandbox): Promise<TokenResponse> => {
  const callback = await authorize(sandbox);
  const response = await redeem(sandbox, callback.get('code') ?? '');
  return (await response.json()) as TokenResponse;
};

/** A caller of the operations; `path` starts with /contractor. */
export type Call = (method: string, path: string, body?: unknown) => Promise<Response>;

export const callWith =
  (sandbox: Sandbox, accessToken: string): Call =>
  (method, path, body) =>
    fetch(`${sandbox.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${accessToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

/**
 * Returns the AssignmentIds of all assignments for projects: first an open one, then the closed ones, then the other
 * open ones. They are the same in every sandbox with the same seed and number of protocols.
 */
export const assignmentIds = async (call: Call): Promise<string[]> => {
  const projects = (await (await call('GET', '/contractor/assignments/projects')).json()) as AssignmentList;
  const [open = [], closed = []] = [false, true].map((isOver) =>
    projects.Items.filter(({ AssignmentStatus }) => isClosed(AssignmentStatus) === isOver),
  );
  return [...open.slice(0, 1), ...closed, ...open.slice(1)].map(({ AssignmentId }) => AssignmentId);
};

export const anyAssignmentId = async (call: Call): Promise<string> => (await assignmentIds(call))[0] ?? '';

/** Requests one page of the protocol list. `query` is the address's query with its question mark. */
export const protocolPage = async (call: Call, query = ''): Promise<ProtocolPage> =>
  (await call('GET', `/contractor/compiled-inspection-protocols/contractor${query}`)).json() as Promise<ProtocolPage>;

/** Requests the Key and the signed Url for a file. */
export const sign = async (call: Call, assignmentId: string, FileName: string): Promise<UploadSignature> =>
  (
    await call('POST', `/contractor/assignments/${assignmentId}/files/sign-upload`, { FileName })
  ).json() as Promise<UploadSignature>;

/**
 * Sends a body to a signed Url. A text is sent as bytes, so that `fetch` adds no Content-Type: storages may refuse an
 * unsigned Content-Type.
 */
export const put = (url: string, body: string | Uint8Array<ArrayBuffer>): Promise<Response> =>
  fetch(url, { method: 'PUT', body: Buffer.from(body) });
