/** A session with a token endpoint on 127.0.0.1, a redirect that needs no network, and a fixed clock. */

import type { Connection, SessionStatus } from '../../../contract/connection.ts';
import type { DeskError } from '../../../contract/errors.ts';
import { createTestClock } from '../../async/testing/clock.ts';
import { createApiAgent } from '../../net/connector.ts';
import { type Answering, startTestServer } from '../../net/testing/server.ts';
import type { RedirectReceiver } from '../redirect.ts';
import { createSession } from '../session.ts';
import type { TokenSet } from '../token-endpoint.ts';
import { createMemoryVault } from '../vault.ts';

export const minuteMs = 60_000;

/** Returns a token set that is due for its refresh at `refreshAt`. */
export const tokenSet = (name: string, expiresAt: number, refreshAt = expiresAt): TokenSet => ({
  accessToken: `access-${name}`,
  refreshToken: `refresh-${name}`,
  expiresAt,
  refreshAt,
});

/** The response of the token endpoint (API documentation: Authentication, step 4), with a lifetime of an hour. */
export const tokenAnswer = (name: string) => ({
  access_token: `access-${name}`,
  refresh_token: `refresh-${name}`,
  expires_in: 3600,
});

/** Creates a redirect whose callbacks the test sends. */
const createTestRedirect = (redirectUri = 'com.inspectiondesk.app:/oauth/callback') => {
  const doors = new Set<(callbackUrl: string) => boolean>();
  const receiver: RedirectReceiver = {
    open: async (accept) => {
      doors.add(accept);
      return { redirectUri, close: async () => void doors.delete(accept) };
    },
  };
  return {
    receiver,
    openDoors: () => doors.size,
    /** Sends a callback with these parameters to each open redirect. Returns whether each accepted it. */
    arrive: (parameters: Readonly<Record<string, string>>) =>
      [...doors].map((accept) => accept(`${redirectUri}?${new URLSearchParams(parameters)}`)),
  };
};

/** The query parameters of an authorization address. */
export const parametersOf = (url: string): Readonly<Record<string, string>> =>
  Object.fromEntries(new URL(url).searchParams);

/**
 * Creates a session whose token endpoint sends the responses of `answer`. `browser` acts for the user: it is called
 * with the parameters of each address that the session opens.
 */
export const setUpSession = async (
  answer: Answering,
  browser: (
    parameters: Readonly<Record<string, string>>,
    arrive: ReturnType<typeof createTestRedirect>['arrive'],
  ) => void = () => {},
  options: Partial<Parameters<typeof createSession>[0]> = {},
  connectionAt: (baseUrl: string) => Connection = (baseUrl) => ({
    baseUrl,
    authUrl: `${baseUrl}/oauth`,
    clientId: 'desk',
    sample: false,
  }),
) => {
  const server = await startTestServer(answer);
  const agent = createApiAgent();
  const clock = createTestClock(Date.parse('2026-03-01T12:00:00Z'));
  const redirect = createTestRedirect();
  const vault = options.vault ?? createMemoryVault();
  const statuses: SessionStatus[] = [];
  const notices: DeskError[] = [];
  const session = createSession({
    connection: connectionAt(server.url),
    redirect: redirect.receiver,
    openExternal: async (url) => browser(parametersOf(url), redirect.arrive),
    dispatcher: agent,
    onChange: (status) => statuses.push(status),
    onNotice: (notice) => notices.push(notice),
    now: clock.now,
    ...options,
    vault,
  });
  return {
    server,
    clock,
    redirect,
    vault,
    session,
    statuses,
    notices,
    /** Puts tokens into the vault and the session. */
    restored: async (tokens: TokenSet) => {
      await vault.save(tokens);
      await session.restore();
    },
    [Symbol.asyncDispose]: async () => {
      await session.close();
      await agent.destroy();
      await server.close();
    },
  };
};
