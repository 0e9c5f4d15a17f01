/** Access to the service of a connection: its clients, its rate limits, and whether it can be reached. */
import type { Dispatcher } from 'undici';
import type { Reachability } from '../../../contract/connection.ts';
import type { DeskError } from '../../../contract/errors.ts';
import { toErrorData } from '../../../contract/errors.ts';
import type { RetryPolicy } from '../../async/retry.ts';
import { sleep } from '../../async/sleep.ts';
import type { Session } from '../../auth/session.ts';
import { createGate } from '../../net/gate.ts';
import { createNetwork } from '../../net/network.ts';
import { probeHost } from '../../net/probe.ts';
import { createReachMonitor } from '../../net/reach-monitor.ts';
import type { Observation } from '../../net/reachability.ts';
import { isOutage } from '../../net/translate.ts';
import { createServiceClient, type ServiceClient } from '../../service/client.ts';
import type { TimeLimits } from '../../service/time-limits.ts';
import type { ReachSeen } from '../../service/transport.ts';
import type { StorageSeen } from '../../uploads/engine/engine-calls.ts';

type ServiceAccess = {
  readonly service: ServiceClient;
  /** Makes each call once, without waiting: for the upload engine, which has its own retries and waits. */
  readonly once: ServiceClient;
  readonly reachability: () => Reachability;
  /** Receives what the upload engine learns about the hosts that it sends to or waits for. */
  readonly observeStorage: (seen: StorageSeen) => void;
  /** Ends all pauses, and probes a host that cannot be reached. */
  readonly tryNow: () => void;
  readonly close: () => void;
};

type ServiceAccessOptions = {
  readonly baseUrl: string;
  readonly dispatcher: Dispatcher;
  /** For `once`. */
  readonly uploadDispatcher: Dispatcher;
  readonly session: Session;
  readonly timeLimits?: TimeLimits | undefined;
  readonly probes?: RetryPolicy | undefined;
  /** Called after each change. */
  readonly onChange: (reachability: Reachability) => void;
  readonly now: () => number;
};

/** Access to the service at `baseUrl`. Errors: `connection/insecure`. */
export const createServiceAccess = (options: ServiceAccessOptions): ServiceAccess => {
  const { baseUrl, dispatcher, uploadDispatcher, session, timeLimits, probes, onChange, now } = options;
  const { host: serviceHost, origin: serviceOrigin } = new URL(baseUrl);
  const gate = createGate();
  const network = createNetwork({
    // A connection to its address does not prove that the service works.
    probe: async (origin, signal) => {
      await probeHost(dispatcher, origin, signal);
      if (origin !== serviceOrigin || !session.user().signedIn) return;
      await once.listOrderableEvents({ signal }).catch((error: unknown) => {
        if (isOutage(error)) throw error;
      });
    },
    sleep,
    probes,
  });
  const monitor = createReachMonitor({ baseUrl, network, onChange, now });

  const observeService = (seen: ReachSeen): void => {
    if (seen.type === 'answered') monitor.observe({ side: 'service', host: serviceHost, type: 'answered' });
    else if (seen.type === 'lost') monitor.serviceLost(seen.error);
    else monitor.observe(heldUntil(seen.reason, now()));
  };
  const transport = { baseUrl, dispatcher, tokens: session, gate, timeLimits };
  const service = createServiceClient({ ...transport, onReach: observeService });
  const once = createServiceClient({
    ...transport,
    dispatcher: uploadDispatcher,
    // One lost connection is not an outage.
    onReach: (seen) => seen.type !== 'lost' && observeService(seen),
    retry: { attempts: 1, maxRetryAfterMs: 0 },
  });

  return {
    service,
    once,
    reachability: monitor.view,
    observeStorage: (seen) => {
      if (seen.type === 'restarted') return monitor.forgetStorage();
      // The engine knows hosts only, and alone knows when one stops interrupting transfers: it answers every probe.
      const isOfTransfers =
        seen.type !== 'unreachable' || seen.reason.code === 'network/interrupted' || seen.host !== serviceHost;
      if (isOfTransfers) monitor.observe({ ...seen, side: 'storage' });
      if (seen.host !== serviceHost || seen.type === 'held' || seen.type === 'released') return;
      // A host that it no longer waits for may still be unreachable.
      if (seen.type === 'answered' || !isOfTransfers) monitor.observe({ ...seen, side: 'service' });
    },
    tryNow: () => {
      gate.open();
      network.probeNow();
      monitor.release();
    },
    close: monitor.close,
  };
};

/** `reason`: the error of a pause, as `Gate` reports it. */
const heldUntil = (reason: DeskError, atMs: number): Observation => {
  const { host, until } = reason.details;
  return {
    side: 'service',
    host: String(host),
    type: 'held',
    atMs,
    untilMs: Number(until),
    reason: toErrorData(reason),
  };
};
