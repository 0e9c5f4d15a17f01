/**
 * The servers of whole desks: the service, its sign-in, and the storage of `world.ts`. They know every token that they
 * have issued, so they notice requests that must not be made.
 */
import type { Dispatcher } from 'undici';
import { DeskError } from '../../src/contract/errors.ts';
import type { Random } from '../../src/sandbox/sample/sample-data.ts';
import { hasEnded, type Process, running, type VirtualTime } from './virtual-time.ts';
import { AFTER_END_MS, IN_FLIGHT_MS, ORIGIN, refusedError, socketError, type World } from './world.ts';

export const SERVICE = 'https://service.test';
export const LOGIN = 'https://login.test';
/** The address of a service that cannot be reached. */
export const OTHER = 'https://other.test';

/** The users of the assignments, and how the service treats tokens. */
type Owned = {
  /** The user of each assignment. */
  readonly users: ReadonlyMap<string, string>;
  /** Whether access tokens name their user. */
  readonly hasSubjects: boolean;
  /** Whether a used refresh token stays valid until its successor is used. */
  readonly isPatient: boolean;
  /** Whether a computer can have stored everything: its disk has had room since the app was started. */
  readonly isStored: (computer: number) => boolean;
};

type Session = { readonly user: string; readonly computer: number; isRevoked: boolean };
type Access = { readonly session: Session; readonly expiresMs: number; readonly from: string | undefined };
type Refresh = { readonly session: Session; isUsed: boolean; successor?: string };
type Reply = { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> };

export type Servers = ReturnType<typeof createServers>;

export const computerOf = ({ computer, of }: Process): number => computer ?? (of ? computerOf(of) : 0);

/** Returns the process that a thread belongs to. */
const rootOf = (process: Process): Process => (process.of ? rootOf(process.of) : process);

/** Creates the servers. `tell` is called with each event, `wrong` with each problem. */
export const createServers = (
  time: VirtualTime,
  random: Random,
  world: World,
  owned: Owned,
  { tell, wrong }: { readonly tell: (event: string) => void; readonly wrong: (problem: string) => void },
) => {
  const accesses = new Map<string, Access>();
  const refreshes = new Map<string, Refresh>();
  const codes = new Map<string, Session>();
  const secrets = new Set<string>();
  /** Tokens that their computer must no longer send. */
  const voided = new Set<string>();
  /**
   * The refresh tokens that were replaced. The key is the process that got the new token; `replacedOnDisk` has the
   * tokens whose replacement is stored.
   */
  const replaced = new WeakMap<Process, Set<string>>();
  const replacedOnDisk = new Set<string>();
  const plans = new Map<string, number | undefined>();
  /** Plan-after values that a process knows to be set at the service. */
  const settled = new Set<number>();
  let numbers = 0;
  let busyUntilMs = 0;

  const secret = (kind: string): string => {
    numbers += 1;
    const text = `${kind}${numbers}Q${random.uint32().toString(36)}zX${random.uint32().toString(36)}Y7${random.uint32().toString(36)}kB9`;
    secrets.add(text);
    return text;
  };
  const issue = (session: Session, from?: string): Reply => {
    const { user } = session;
    const claims = Buffer.from(JSON.stringify({ sub: user })).toString('base64url');
    const access_token = owned.hasSubjects ? `eyJhbGciOiJub25lIn0.${claims}.${secret('A')}` : secret('A');
    const refresh_token = secret('R');
    const lifetimeS = random.pick([30, 300, 3_600, 3_600]);
    secrets.add(access_token);
    accesses.set(access_token, { session, expiresMs: time.now() + lifetimeS * 1_000, from });
    refreshes.set(refresh_token, { session, isUsed: false });
    const before = from === undefined ? undefined : refreshes.get(from);
    if (before) before.successor = refresh_token;
    return { status: 200, body: { access_token, refresh_token, expires_in: random.chance(0.8) ? lifetimeS : 86_400 } };
  };
  const refresh = (token: string): Reply => {
    const found = refreshes.get(token);
    const next = found?.successor === undefined ? undefined : refreshes.get(found.successor);
    const isFine = found && !found.session.isRevoked && (!found.isUsed || (owned.isPatient && next?.isUsed === false));
    if (!isFine) {
      // A refresh token that is used a second time may have been stolen (RFC 9700 section 4.14.2).
      if (found?.isUsed) found.session.isRevoked = true;
      return { status: 400, body: { error: 'invalid_grant' } };
    }
    found.isUsed = true;
    return issue(found.session, token);
  };
  const answerLogin = (form: URLSearchParams): Reply => {
    if (form.get('grant_type') === 'refresh_token') return refresh(form.get('refresh_token') ?? '');
    const code = form.get('code') ?? '';
    const session = codes.get(code);
    if (!session || !codes.delete(code)) return { status: 400, body: { error: 'invalid_grant' } };
    return issue(session);
  };

  const summary = (AssignmentId: string) => ({
    AssignmentId,
    FacilityId: 'F',
    AssignmentStatus: 'PENDING',
    FirstName: 'A',
    LastName: 'B',
    Address: 'Way 1',
    City: 'Town',
    Performer: 'P',
    StartTime: 1_700_000_000,
  });
  const answerService = (method: string, path: string, body: unknown, access: Access | undefined): Reply => {
    const isKnown = access && !access.session.isRevoked && time.now() < access.expiresMs;
    if (!isKnown) return { status: 401, body: {} };
    const { user, computer } = access.session;
    if (access.from !== undefined && owned.isStored(computer)) replacedOnDisk.add(access.from);
    if (path === '/contractor/orderable-events') return { status: 200, body: [] };
    if (path === '/contractor/assignments/projects') {
      const Items = [...owned.users].filter(([, whose]) => whose === user).map(([id]) => summary(id));
      return { status: 200, body: { Items, Count: Items.length, TotalCount: Items.length } };
    }
    if (path === '/contractor/compiled-inspection-protocols/contractor')
      return { status: 200, body: { Items: [], Count: 0, TotalCount: 0, CurrentPage: 1 } };
    const [, id = '', what] = /^\/contractor\/assignments\/([^/]+)\/(.+)$/.exec(path) ?? [];
    if (owned.users.get(id) !== user) wrong(`${method} ${path} by ${user}, for ${owned.users.get(id)}`);
    if (what === 'plan-after' && method === 'PUT') {
      const { PlanAfter } = body as { PlanAfter?: number };
      plans.set(id, PlanAfter);
      tell(`plan ${id.slice(0, 8)} after ${PlanAfter}`);
      return { status: 200, body: { AssignmentId: id, PlanAfter: PlanAfter ?? 0 } };
    }
    if (what === 'files/sign-upload') {
      const { FileName } = body as { FileName: string };
      tell(`sign ${FileName} for ${computer}`);
      const signed = world.sign({ AssignmentId: id, FileName }, computer);
      const { search } = new URL(signed.Url);
      if (search !== '') secrets.add(search.slice(1));
      return { status: 200, body: signed };
    }
    const { Key } = body as { Key: string };
    if (world.named.get(Key)?.computer !== computer) wrong(`${computer} removes a file of another computer, ${Key}`);
    tell(`remove ${Key}`);
    try {
      return { status: 200, body: world.remove({ AssignmentId: id, Key }) };
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      return { status: 404, body: {} };
    }
  };

  /** Reports requests that must never be made, even if they fail. */
  const inspect = (origin: string, path: string, token: string, body: string): void => {
    const process = rootOf(running());
    if (origin === OTHER && (token !== '' || [...secrets].some((secret) => body.includes(secret))))
      wrong('a secret is sent to another service');
    if (voided.has(token)) wrong(`${path} with a token of a session that has ended`);
    if (origin === SERVICE && path !== '/' && !accesses.has(token)) wrong(`${path} without a token of the service`);
    const form = origin === LOGIN ? new URLSearchParams(body) : undefined;
    const used = form?.get('refresh_token') ?? undefined;
    if (used === undefined) return;
    if (voided.has(used)) wrong('a session that has ended is refreshed');
    if (replaced.get(process)?.has(used) || replacedOnDisk.has(used))
      wrong('a refresh token is used that was replaced');
  };
  /** Called when the response `reply` has reached its process. */
  const delivered = (
    process: Process,
    request: { readonly origin: string; readonly body: string; readonly path: string },
    reply: Reply,
  ): void => {
    if (reply.status !== 200) return;
    const used = request.origin === LOGIN ? new URLSearchParams(request.body).get('refresh_token') : null;
    // The app may use the old token again if the disk was full: when it opens the connection again, it reads the old
    // token from the disk. So the token counts as replaced only if the new one can have been stored.
    if (used !== null && owned.isStored(computerOf(process))) {
      const all = replaced.get(process) ?? new Set();
      replaced.set(process, all.add(used));
    }
    if (!request.path.endsWith('/plan-after')) return;
    const { PlanAfter } = JSON.parse(request.body) as { PlanAfter?: number };
    // Shortly after the response, the outbox of the process knows of the change.
    if (PlanAfter !== undefined && owned.isStored(computerOf(process)))
      time.inside(process, () => time.after(5, () => settled.add(PlanAfter)));
  };

  const dispatch: Dispatcher['dispatch'] = (options, handler) => {
    const origin = String(options.origin);
    const { path, method } = options;
    if (origin === ORIGIN && method !== 'HEAD') {
      const key = path.slice(1).split('?')[0] ?? '';
      if (world.named.get(key)?.computer !== computerOf(running())) wrong(`a file of another computer is sent, ${key}`);
      return world.storage.dispatch(options, handler);
    }
    const body = typeof options.body === 'string' ? options.body : '';
    const token = String((options.headers as Record<string, string> | undefined)?.authorization ?? '').replace(
      'Bearer ',
      '',
    );
    const process = running();
    inspect(origin, path, token, body);
    if (path.endsWith('/plan-after'))
      onPlan(path.split('/').at(-2) ?? '', (JSON.parse(body) as { PlanAfter?: number }).PlanAfter);

    let isEnded = false;
    let abortedMs = Number.POSITIVE_INFINITY;
    const controller = {
      aborted: false,
      paused: false,
      reason: null,
      rawHeaders: null,
      rawTrailers: null,
      pause: () => {},
      resume: () => {},
      abort: (reason: Error) => {
        if (isEnded) return;
        isEnded = true;
        controller.aborted = true;
        abortedMs = time.now();
        time.after(0, () => handler.onResponseError?.(controller as never, reason));
      },
    };
    const fail = (error: Error): void => {
      if (isEnded) return;
      isEnded = true;
      handler.onResponseError?.(controller as never, error);
    };
    const respond = (reply: Reply): void => {
      if (isEnded) return;
      isEnded = true;
      delivered(rootOf(process), { origin, body, path }, reply);
      const headers = { 'content-type': 'application/json', ...reply.headers };
      handler.onResponseStart?.(controller as never, reply.status, headers, '');
      if (method !== 'HEAD')
        handler.onResponseData?.(controller as never, Buffer.from(JSON.stringify(reply.body ?? {})));
      handler.onResponseEnd?.(controller as never, {});
    };
    const back = (settle: () => void): void => {
      if (!hasEnded(process)) time.inside(process, () => void time.after(world.delay(), settle));
    };
    const refusal = (): Reply | undefined => {
      if (origin === SERVICE && time.now() < busyUntilMs)
        return { status: 429, headers: { 'retry-after': String(random.pick([5, 20, 40])) } };
      const found = world.fault('busy', 'failed', ...(origin === SERVICE ? (['refused'] as const) : []));
      if (found === 'busy')
        return { status: random.pick([429, 503]), headers: { 'retry-after': String(random.pick([0, 1, 5, 40])) } };
      if (found === 'failed') return { status: random.pick([500, 502, 504]) };
      return found && { status: 422 };
    };
    const answer = (): void => {
      const reply =
        method === 'HEAD' || origin === ORIGIN
          ? { status: 200 }
          : origin === LOGIN
            ? answerLogin(new URLSearchParams(body))
            : answerService(method, path, body === '' ? {} : JSON.parse(body), accesses.get(token));
      if (world.isLost()) back(() => fail(socketError()));
      else back(() => respond(reply));
    };
    time.after(world.delay(), () => {
      if (isEnded) return;
      if (world.isDown() || origin === OTHER) return fail(refusedError());
      handler.onRequestStart?.(controller as never, {});
      // undici does not send a request that the app has aborted.
      if (isEnded) return;
      const refused = method === 'HEAD' ? undefined : refusal();
      if (refused) return back(() => respond(refused));
      const isSlow = path.endsWith('/plan-after') && random.chance(0.2);
      const travel = isSlow ? random.integer(1_000, 10_000) : random.integer(0, 20);
      time.outside(() =>
        time.after(travel, () => {
          if (hasEnded(process) && travel > IN_FLIGHT_MS) return;
          if (time.now() - abortedMs < AFTER_END_MS) answer();
        }),
      );
    });
    return true;
  };

  let onPlan: (assignment: string, value: number | undefined) => void = () => {};
  return {
    dispatch,
    secrets,
    plans,
    settled,
    /** Makes `listener` get every plan-after value that is sent. */
    onPlan: (listener: typeof onPlan): void => {
      onPlan = listener;
    },
    /** Returns the code with which the browser returns after `user` has signed in. */
    authorize: (user: string, computer: number): string => {
      const code = secret('C');
      codes.set(code, { user, computer, isRevoked: false });
      return code;
    },
    /** Called when `computer` has signed out: it must no longer send any of its tokens. */
    ended: (computer: number): void => {
      for (const [token, { session }] of [...accesses, ...refreshes])
        if (session.computer === computer) voided.add(token);
    },
    /** Makes the service request pauses from all callers during the next `ms`. */
    busy: (ms: number): void => {
      busyUntilMs = time.now() + ms;
      tell(`busy for ${ms} ms`);
    },
    /** Ends all sessions of `computer` at the service, as an administrator would. */
    revoke: (computer: number): void => {
      for (const { session } of accesses.values()) if (session.computer === computer) session.isRevoked = true;
    },
  };
};
