import type { PlanAfterValue } from '../../contract/resources.ts';
import type { FaultRule, FaultStatus, FiredFault } from '../faults/fault-plan.ts';
import { controlHeader } from '../http/http.ts';
import type { SandboxStats } from '../http/stats.ts';
import type { StoredObject } from '../state/uploads.ts';

export type SandboxControl = ReturnType<typeof createSandboxControl>;

/** Creates a client of the sandbox at `baseUrl`. Its calls reject if the sandbox cannot be reached or refuses them. */
export const createSandboxControl = (sandbox: { readonly baseUrl: string; readonly controlToken: string }) => {
  const call = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const response = await fetch(`${sandbox.baseUrl}/sandbox/${path}`, {
      method,
      headers: { [controlHeader]: sandbox.controlToken, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    throw new Error(`sandbox control: ${method} ${path} returned ${response.status}: ${await response.text()}`);
  };
  // The client and the sandbox are always of the same version, so responses are not validated.
  const read = async <T>(path: string): Promise<T> => (await call('GET', path)).json() as Promise<T>;
  const act = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<void> => {
    await call(method, path, body);
  };

  return {
    faults: {
      add: (...rules: readonly FaultRule[]) => act('POST', 'faults', rules),
      /** Replaces all rules in one step, so that no request is handled in between. */
      replace: (...rules: readonly FaultRule[]) => act('PUT', 'faults', rules),
      list: () => read<readonly FaultStatus[]>('faults'),
      /** The requests to which rules were applied, oldest first, since the rules were last cleared. */
      fired: () => read<readonly FiredFault[]>('faults/fired'),
      clear: () => act('DELETE', 'faults'),
      /** Clears the rules. The requests that wait because of a fault continue. */
      release: () => act('POST', 'faults/release'),
    },
    stats: () => read<SandboxStats>('stats'),
    resetStats: () => act('DELETE', 'stats'),
    objects: () => read<readonly StoredObject[]>('objects'),
    objectBytes: async (key: string): Promise<ReadableStream<Uint8Array>> => {
      const { body } = await call('GET', `objects/content?key=${encodeURIComponent(key)}`);
      return body ?? new ReadableStream({ start: (controller) => controller.close() });
    },
    planAfterValues: () => read<readonly PlanAfterValue[]>('plan-after'),
    /** Expires every access token issued so far; refresh tokens stay valid. */
    expireAccessTokens: () => act('POST', 'access-tokens/expire'),
    /** Ends every session; clients have to sign in again. */
    revokeSessions: () => act('POST', 'sessions/revoke'),
    /** Sets the user of later sign-ins: `user-4711` (the default) or `user-4712`. */
    become: (sub: string) => act('POST', 'user', { sub }),
    /** Moves the sandbox's time forward: codes, tokens and signed URLs age. */
    advanceClock: (byMs: number) => act('POST', 'clock/advance', { byMs }),
  };
};
