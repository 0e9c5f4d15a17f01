/** A typed client of the control endpoints, for tests and demonstrations. */
import type { PlanAfterValue } from '../contract/resources.ts';
import type { FaultRule, FaultStatus, FiredFault } from './faults/fault-plan.ts';
import { controlHeader } from './http/http.ts';
import type { SandboxStats } from './http/stats.ts';
import type { StoredObject } from './state/uploads.ts';

/** Steers a running sandbox. Every call rejects when the sandbox cannot be reached or refuses. */
export type SandboxControl = {
  readonly faults: {
    readonly add: (...rules: readonly FaultRule[]) => Promise<void>;
    /** Clears and adds in one step, so that no request is handled in between. */
    readonly replace: (...rules: readonly FaultRule[]) => Promise<void>;
    readonly list: () => Promise<readonly FaultStatus[]>;
    /** The requests to which rules were applied, oldest first, since the rules were last cleared. */
    readonly fired: () => Promise<readonly FiredFault[]>;
    readonly clear: () => Promise<void>;
    /** Clears the rules and releases the requests that a fault holds. */
    readonly release: () => Promise<void>;
  };
  readonly stats: () => Promise<SandboxStats>;
  readonly resetStats: () => Promise<void>;
  /** The stored objects, oldest first. */
  readonly objects: () => Promise<readonly StoredObject[]>;
  /** The bytes of a stored object. */
  readonly objectBytes: (key: string) => Promise<ReadableStream<Uint8Array>>;
  readonly planAfterValues: () => Promise<readonly PlanAfterValue[]>;
  /** Expires every access token issued so far; refresh tokens stay valid. */
  readonly expireAccessTokens: () => Promise<void>;
  /** Ends every session; clients have to sign in again. */
  readonly revokeSessions: () => Promise<void>;
  /** Sets the user of later sign-ins: `user-4711` (the default) or `user-4712`. */
  readonly become: (sub: string) => Promise<void>;
  /** Moves the sandbox's time forward: codes, tokens and signed URLs age. */
  readonly advanceClock: (byMs: number) => Promise<void>;
};

/** The control client of the sandbox at `baseUrl`. */
export const createSandboxControl = (sandbox: {
  readonly baseUrl: string;
  readonly controlToken: string;
}): SandboxControl => {
  const call = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const response = await fetch(`${sandbox.baseUrl}/sandbox/${path}`, {
      method,
      headers: { [controlHeader]: sandbox.controlToken, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    throw new Error(`sandbox control: ${method} ${path} answered ${response.status}: ${await response.text()}`);
  };
  // The sandbox has the version of its client, so its answers are not parsed.
  const read = async <T>(path: string): Promise<T> => (await call('GET', path)).json() as Promise<T>;
  const act = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<void> => {
    await call(method, path, body);
  };

  return {
    faults: {
      add: (...rules) => act('POST', 'faults', rules),
      replace: (...rules) => act('PUT', 'faults', rules),
      list: () => read('faults'),
      fired: () => read('faults/fired'),
      clear: () => act('DELETE', 'faults'),
      release: () => act('POST', 'faults/release'),
    },
    stats: () => read('stats'),
    resetStats: () => act('DELETE', 'stats'),
    objects: () => read('objects'),
    objectBytes: async (key) => {
      const { body } = await call('GET', `objects/content?key=${encodeURIComponent(key)}`);
      return body ?? new ReadableStream({ start: (controller) => controller.close() });
    },
    planAfterValues: () => read('plan-after'),
    expireAccessTokens: () => act('POST', 'access-tokens/expire'),
    revokeSessions: () => act('POST', 'sessions/revoke'),
    become: (sub) => act('POST', 'user', { sub }),
    advanceClock: (byMs) => act('POST', 'clock/advance', { byMs }),
  };
};
