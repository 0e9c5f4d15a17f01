/**
 * Signs in at HTTP proxies (RFC 9110 section 11.7): by Negotiate and NTLM (RFC 4559) with the user's account in the
 * system, by Digest (RFC 7616) or Basic (RFC 7617) with a password. Uses the strongest scheme that the proxy offers and
 * that works on this computer.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { DeskError } from '../../contract/errors.ts';
import { orCancelled } from '../async/cancel.ts';
import { steadyNow } from '../async/clock.ts';
import { createSerial } from '../async/lock.ts';
import { authority, type ProxyLogin, type ProxyServer, proxyName } from './proxy.ts';
import { isPasswordWanted, type LoginSource, systemAccountAt, tryLogin, withLogins } from './proxy-passwords.ts';
import { type AskProxy, type ConnectResponse, failed, type ProxyAuth, type Target, wantsPassword } from './tunnel.ts';

/** How the app has signed in at a proxy, or which schemes have failed. Shown by the doctor (core/doctor). */
export type ProxySignIn = {
  /** Absent: the proxy required no sign-in, or no sign-in succeeded. */
  readonly scheme?: string;
  /**
   * Resolves to the name of the user: the principal, the user's account in the system, or the user name of the login;
   * '' if unknown.
   */
  readonly user: () => Promise<string>;
  /** The schemes that failed before `scheme` succeeded, or all schemes that failed. */
  readonly failures: Failures;
};

type ProxyAuthOptions = LoginSource & {
  readonly onProxySignIn?: ((proxy: string, signIn: ProxySignIn) => void) | undefined;
};

type Session = {
  readonly scheme: string;
  /**
   * Opens a connection through the proxy.
   * @throws DeskError `network/proxy-account` or `network/proxy-scheme` if another scheme has to be tried. Other errors
   * end the sign-in
   */
  readonly open: (attempt: Attempt) => Promise<Opened>;
};

type Attempt = { readonly proxy: ProxyServer; readonly target: Target; readonly ask: AskProxy };

type Opened = { readonly response: ConnectResponse; readonly session: Session } & Pick<ProxySignIn, 'user'>;

const SCHEMES = ['negotiate', 'ntlm', 'digest', 'basic'] as const;
const NAMES: Readonly<Record<string, string>> = {
  negotiate: 'Negotiate',
  ntlm: 'NTLM',
  digest: 'Digest',
  basic: 'Basic',
};

const isByPassword = ({ scheme }: Session): boolean => scheme === 'digest' || scheme === 'basic';

const nobody = async (): Promise<string> => '';

/** Connects without a sign-in, to learn whether and how the proxy requires one. */
const openly: Session = {
  scheme: '',
  open: async ({ ask }) => ({ response: await ask(), user: nobody, session: openly }),
};

/** The session that a proxy has accepted. `untilMs`: when stronger schemes are tried again. */
type Accepted = { readonly session: Session; readonly untilMs: number };

const UNKNOWN: Accepted = { session: openly, untilMs: Number.POSITIVE_INFINITY };

/** The maximum number of requests in a sign-in. No scheme needs this many. */
const MOST_STEPS = 5;
/** How long a weaker scheme is used before a stronger scheme that failed is tried again. */
const WEAKER_MS = 5 * 60_000;

/**
 * Creates the sign-in for all proxies. It remembers the session that each proxy has accepted, and begins later
 * connections with it (`firstFor`).
 */
export const createProxyAuth = (
  { nextLogin, trials, onProxySignIn = () => {} }: ProxyAuthOptions,
  account: SystemAccount = createSystemAccount(),
  now = steadyNow,
): ProxyAuth => {
  const accepted = new Map<string, Accepted>();
  const logins = { nextLogin, trials };

  /**
   * Creates a session for the strongest of the offered schemes that are supported and have not failed; undefined if
   * none is left.
   */
  const strongest = (offered: readonly Challenge[], failures: Failures): Session | undefined => {
    for (const scheme of SCHEMES) {
      // Basic reveals the password to everyone on the network path, so it is not used if a stronger scheme can work.
      if (scheme === 'basic' && offered.some((one) => isPossible(failures.get(one.scheme)))) return undefined;
      const challenges = offered.filter((one) => one.scheme === scheme);
      if (challenges.length === 0 || failures.has(scheme)) continue;
      if (scheme === 'negotiate' || scheme === 'ntlm') return systemSession(scheme, account, logins);
      const header = passwordHeader(scheme, challenges);
      if (header) return passwordSession(scheme, header, logins);
    }
    return undefined;
  };

  /**
   * Returns the session to try first. Unless `proxy` has a login, no password is sent before the proxy requests one.
   */
  const firstFor = (name: string, proxy: ProxyServer): Accepted => {
    const known = accepted.get(name);
    if (!known || known.untilMs < now()) return UNKNOWN;
    return isByPassword(known.session) && !proxy.login ? UNKNOWN : known;
  };

  return async (proxy, target, ask) => {
    const name = proxyName(proxy);
    const failures = new Map<string, string>();
    const open = (session: Session): Promise<Opened | undefined> =>
      session.open({ proxy, target, ask }).catch((error: unknown) => {
        if (!isOfNoUse(error)) throw error;
        failures.set(session.scheme, String(error.details.reason ?? ''));
        return undefined;
      });
    const first = firstFor(name, proxy);
    const signIn = async (): Promise<Opened> => {
      const opened = (await open(first.session)) ?? (await openly.open({ proxy, target, ask }));
      if (opened.response.status !== 407) return opened;
      discard(opened.response);
      const offered = challengesIn(opened.response);
      for (let next = strongest(offered, failures); next; next = strongest(offered, failures)) {
        const through = await open(next);
        if (through) return through;
      }
      throw refusal(proxy, target, offered, failures);
    };
    try {
      const { response, user, session } = await signIn();
      const isAsBefore = session.scheme === first.session.scheme;
      const untilMs = isAsBefore ? first.untilMs : Number.POSITIVE_INFINITY;
      accepted.set(name, { session, untilMs: failures.size > 0 ? now() + WEAKER_MS : untilMs });
      const scheme = NAMES[session.scheme];
      onProxySignIn(name, { ...(scheme && { scheme }), user, failures });
      return response;
    } catch (error) {
      onProxySignIn(name, { user: nobody, failures });
      throw error;
    }
  };
};

const discard = ({ socket }: ConnectResponse): void => void socket.on('error', () => {}).destroy();

const isOfNoUse = (error: unknown): error is DeskError =>
  error instanceof DeskError && (error.code === 'network/proxy-account' || error.code === 'network/proxy-scheme');

/** Why schemes failed, by scheme. The values are those of `reason` in `network/proxy-account`. */
type Failures = ReadonlyMap<string, string>;

/** Reasons that no account and no ticket can remove: this computer lacks the module or SSPI. */
const LACKING: ReadonlySet<string> = new Set(['noModule', 'noSspi']);

/** Whether a scheme that failed for `reason` can work on this computer: it is supported, and there was a ticket. */
const isPossible = (reason: string | undefined): boolean =>
  reason !== undefined && reason !== 'noTicket' && !LACKING.has(reason);

const refusal = (
  proxy: ProxyServer,
  { origin }: Target,
  offered: readonly Challenge[],
  failures: Failures,
): DeskError => {
  const reasons = [...failures.values()].filter((reason) => reason !== '');
  const ofAccount = reasons.find((reason) => !LACKING.has(reason));
  const reason = ofAccount ?? reasons[0];
  const schemes = offered.map(({ scheme }) => NAMES[scheme] ?? scheme).join(', ');
  const code = ofAccount === undefined ? 'network/proxy-scheme' : 'network/proxy-account';
  return failed(code, proxy, { origin, schemes, ...(reason !== undefined && { reason }) });
};

/**
 * A challenge of a proxy. The names of the scheme and of parameters are in lower case. `token`: base64, as in Negotiate
 * and NTLM.
 */
type Challenge = { readonly scheme: string; readonly token: string; readonly params: Map<string, string> };

/** Matches a parameter (a name, `=` and a value), or a scheme (a name, and possibly a token). */
const PART =
  /[\s,]*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*))|[ \t]+([\w.~+/-]+=*)(?=\s*(?:,|$)))?/gy;

/** Parses the challenges of a response (RFC 9110 section 11.6.1). A header can contain several challenges. */
export const challengesIn = ({ headers }: Pick<ConnectResponse, 'headers'>): readonly Challenge[] => {
  const challenges: Challenge[] = [];
  for (const header of [headers['proxy-authenticate'] ?? []].flat()) {
    for (const [, name = '', quoted, bare, token = ''] of header.matchAll(PART)) {
      const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare;
      if (value === undefined) challenges.push({ scheme: name.toLowerCase(), token, params: new Map() });
      else challenges.at(-1)?.params.set(name.toLowerCase(), value);
    }
  }
  return challenges;
};

type PasswordHeader = (login: ProxyLogin, uri: string) => string;

/**
 * Returns a function that creates headers for the strongest of `challenges`, which all have this scheme; undefined if
 * the app supports none of them.
 */
const passwordHeader = (scheme: 'digest' | 'basic', challenges: readonly Challenge[]): PasswordHeader | undefined => {
  if (scheme === 'digest') return digestHeader(challenges);
  return challenges.length > 0 ? basicHeader : undefined;
};

const basicHeader: PasswordHeader = ({ user, password }) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/**
 * Creates a session with a password. `isAccepted`: whether the proxy accepted the nonce of `first` on an earlier
 * connection.
 */
const passwordSession = (
  scheme: 'digest' | 'basic',
  first: PasswordHeader,
  logins: LoginSource,
  isAccepted = false,
): Session => ({
  scheme,
  open: ({ proxy, target, ask }) => {
    let header = first;
    // A proxy can forget the nonce of an earlier connection without a `stale` challenge.
    let mayBeStale = isAccepted && scheme === 'digest';
    return withLogins(logins, proxy, scheme === 'basic' && proxy.type !== 'https', async (login) => {
      if (!login) throw wantsPassword(proxy);
      for (let step = 1; ; step += 1) {
        const response = await ask(header(login, authority(target)));
        if (response.status !== 407)
          return { response, user: async () => login.user, session: passwordSession(scheme, header, logins, true) };
        discard(response);
        const challenges = challengesIn(response).filter((one) => one.scheme === scheme);
        const fresh = passwordHeader(scheme, challenges);
        // The proxy no longer offers a challenge of this scheme that the app supports. That does not make the password
        // wrong.
        if (!fresh) throw failed('network/proxy-scheme', proxy);
        header = fresh;
        const isOfNonce = mayBeStale || challenges.some(isStale);
        if (!isOfNonce || step === MOST_STEPS) throw wantsPassword({ ...proxy, login });
        mayBeStale = false;
      }
    });
  },
});

const isStale = ({ params }: Challenge): boolean => params.get('stale')?.toLowerCase() === 'true';

const ALGORITHMS = [
  ['SHA-512-256', 'sha512-256'],
  ['SHA-256', 'sha256'],
  ['MD5', 'md5'],
] as const;

/**
 * Returns a function that creates headers of Digest (RFC 7616) with the nonce of the strongest of `challenges`; each
 * header has the next `nc`. Returns undefined if no challenge has an algorithm and a `qop` that the app supports.
 */
export const digestHeader = (
  challenges: readonly Challenge[],
  { method = 'CONNECT', cnonce = randomBytes(16).toString('hex') } = {},
): PasswordHeader | undefined => {
  const known = challenges.filter(({ params }) => /^$|\bauth\b(?!-)/i.test(params.get('qop') ?? ''));
  const isOf = (challenge: Challenge, name: string): boolean =>
    (challenge.params.get('algorithm') ?? 'MD5').toUpperCase().replace(/-SESS$/, '') === name;
  const [strongest] = ALGORITHMS.flatMap(([name, hash]) =>
    known.filter((one) => isOf(one, name)).map(({ params }) => ({ params, hash })),
  );
  if (!strongest) return undefined;
  const hashed = (...parts: readonly string[]): string =>
    createHash(strongest.hash).update(parts.join(':')).digest('hex');
  const { algorithm, realm = '', nonce = '', opaque, qop = '', userhash } = Object.fromEntries(strongest.params);
  const isOfSession = /-sess$/i.test(algorithm ?? '');
  let count = 0;
  return ({ user, password }, uri) => {
    count += 1;
    const nc = count.toString(16).padStart(8, '0');
    const secret = hashed(user, realm, password);
    const key = isOfSession ? hashed(secret, nonce, cnonce) : secret;
    const request = hashed(method, uri);
    const response = qop ? hashed(key, nonce, nc, cnonce, 'auth', request) : hashed(key, nonce, request);
    const fields = [
      userhash?.toLowerCase() === 'true' ? `username=${quote(hashed(user, realm))}, userhash=true` : nameField(user),
      `realm=${quote(realm)}, nonce=${quote(nonce)}, uri=${quote(uri)}, response="${response}"`,
      ...(algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
      ...(opaque === undefined ? [] : [`opaque=${quote(opaque)}`]),
      ...(qop || isOfSession ? [`cnonce="${cnonce}"`] : []),
      ...(qop ? [`qop=auth, nc=${nc}`] : []),
    ];
    return `Digest ${fields.join(', ')}`;
  };
};

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

/**
 * Returns the user name as a field of the header. A name that a header cannot contain is encoded (RFC 7616 section 3.4,
 * RFC 8187).
 */
const nameField = (user: string): string =>
  /^[ -~]*$/.test(user)
    ? `username=${quote(user)}`
    : `username*=UTF-8''${encodeURIComponent(user).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`;

// Sign-ins with the user's account in the system: by Negotiate, and by NTLM where the system knows the password.

type SystemScheme = 'negotiate' | 'ntlm';

/**
 * A handshake that has begun. `token`: the first token for the proxy; `step`: passes in the proxy's token, and resolves
 * to the reply, or to '' without a reply. All tokens are in base64.
 */
type Handshake = {
  readonly token: string;
  readonly step: (token: string) => Promise<string>;
  readonly user: ProxySignIn['user'];
};

type SystemAccount = {
  /** Whether the proxy may count a rejected handshake as a wrong password, as with NTLM. */
  readonly isPassword: boolean;
  /**
   * Begins a handshake with the proxy at `host`.
   * @throws DeskError `network/proxy-account` with a `reason`
   */
  readonly begin: (scheme: SystemScheme, host: string) => Promise<Handshake>;
};

const systemSession = (scheme: SystemScheme, account: SystemAccount, { trials }: LoginSource): Session => {
  const session: Session = {
    scheme,
    open: async ({ proxy, ask }) => {
      const open = async (): Promise<Opened> => {
        const handshake = await account.begin(scheme, proxy.host);
        const response = await shakeHands(scheme, handshake, ask);
        if (response.status !== 407) return { response, user: handshake.user, session };
        discard(response);
        throw account.isPassword ? wantsPassword(proxy, true) : ofNoUse('proxyRejected');
      };
      if (!account.isPassword) return open();
      // The account is tried like a password: one connection tries it first, and after a rejection it is not sent again
      // before `withholdAll` or `askAgain`.
      const trial = { proxy: systemAccountAt(proxy, scheme), login: { user: '', password: '' } };
      return tryLogin(trials, proxy, trial, open).catch((error: unknown) => {
        throw isPasswordWanted(error) ? ofNoUse('proxyRejected') : error;
      });
    },
  };
  return session;
};

const shakeHands = async (scheme: SystemScheme, handshake: Handshake, ask: AskProxy): Promise<ConnectResponse> => {
  const name = NAMES[scheme];
  let response = await ask(`${name} ${handshake.token}`);
  try {
    for (let step = 1; response.status === 407 && step < MOST_STEPS; step += 1) {
      const theirs = challengesIn(response).find((one) => one.scheme === scheme)?.token ?? '';
      const ours = theirs === '' ? '' : await handshake.step(theirs);
      if (ours === '') break;
      response = await ask(`${name} ${ours}`, response);
    }
    return response;
  } catch (error) {
    discard(response);
    throw error;
  }
};

const ofNoUse = (reason: string, cause?: unknown): DeskError =>
  new DeskError('network/proxy-account', 'the account of the system cannot be used', { details: { reason }, cause });

/** The functions of the module `kerberos` that the app uses. The module is written in C++ and takes callbacks. */
type Kerberos = {
  readonly initializeClient: (
    service: string,
    options: { readonly mechOID: number; readonly flags: number },
    done: (error: Error | null, client: KerberosClient) => void,
  ) => void;
};
type KerberosClient = {
  readonly username: string | null;
  readonly step: (token: string, done: (error: Error | null, token: string | null) => void) => void;
};

type SystemAccountOptions = {
  readonly load?: () => Kerberos;
  readonly platform?: NodeJS.Platform;
  readonly environment?: Readonly<Record<string, string | undefined>>;
};

const SPNEGO = 6;
const KRB5 = 9;

const NTLM_MESSAGE = 'TlRMTVNTUA';

/** The timeout of a call, including the wait for earlier calls. On a usable network, a KDC needs less time. */
const TOKEN_MS = 15_000;

/**
 * Creates the sign-in with the system's account, by GSSAPI, or by SSPI on Windows. No credentials are delegated. The
 * native module is loaded at first use. Loading fails if the module could not be built, or on Linux without
 * libgssapi-krb5.
 */
export const createSystemAccount = ({
  load = loadKerberos,
  platform = process.platform,
  environment = process.env,
}: SystemAccountOptions = {}): SystemAccount => {
  const isSspi = platform === 'win32';
  // Calls wait for each other. So the first call fetches the ticket for all of them, and a KDC that does not respond
  // blocks only one thread of the pool.
  const serial = createSerial();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    orCancelled(serial(work), AbortSignal.timeout(TOKEN_MS)).catch((error: unknown) => {
      throw ofNoUse(error instanceof DeskError ? 'noAnswer' : reasonOf(error), error);
    });

  const start = (kerberos: Kerberos, service: string, mechOID: number) =>
    inTurn(async () => {
      const client = await promisify(kerberos.initializeClient)(service, { mechOID, flags: 0 });
      return { client, token: await stepOf(client, '') };
    });

  return {
    isPassword: isSspi,
    begin: async (scheme, host) => {
      if (scheme === 'ntlm' && !isSspi) throw ofNoUse('noSspi');
      let kerberos: Kerberos;
      try {
        kerberos = load();
      } catch (error) {
        throw ofNoUse('noModule', error);
      }
      // There is no ticket for an empty service name, so SSPI uses NTLM.
      const service = scheme === 'ntlm' ? '' : isSspi ? `HTTP/${host}` : `HTTP@${host}`;
      const { client, token } = await start(kerberos, service, SPNEGO).catch(async (error: unknown) => {
        // The error of SPNEGO only says that no mechanism is left. The error of Kerberos, thrown here, says why.
        if (!isSspi && isOfNoUse(error) && error.details.reason !== 'noAnswer') await start(kerberos, service, KRB5);
        throw error;
      });
      if (scheme === 'ntlm' && !token.startsWith(NTLM_MESSAGE)) throw ofNoUse('noSspi');
      /**
       * Resolves to the principal. A proxy can accept before the handshake is complete. GSSAPI does not know the name
       * then, so a new client is asked.
       */
      const principal = async (): Promise<string> =>
        client.username ?? (await start(kerberos, service, KRB5).catch(() => undefined))?.client.username ?? '';
      const { USERDOMAIN: domain, USERNAME: user } = environment;
      return {
        token,
        step: (theirs) => inTurn(() => stepOf(client, theirs)),
        user: isSspi ? async () => client.username ?? [domain, user].filter(Boolean).join('\\') : principal,
      };
    },
  };
};

const stepOf = async (client: KerberosClient, token: string): Promise<string> =>
  (await promisify(client.step.bind(client))(token)) ?? '';

/**
 * Returns the message of the mechanism, without the general text of GSSAPI or SSPI before it; `noTicket` if there are
 * no credentials.
 */
const reasonOf = (error: unknown): string => {
  const text = (error instanceof Error ? error.message : '').replaceAll(/\s+/g, ' ').trim().slice(0, 300);
  const reason = text.replace(/^[^:]*: (?=\S)/, '');
  return /^no (kerberos )?credentials\b/i.test(reason) ? 'noTicket' : reason;
};

/**
 * Loads the file that scripts/kerberos.mjs makes. The package `kerberos` is not imported, because the app contains only
 * this file of the package.
 */
const loadKerberos = (): Kerberos =>
  createRequire(import.meta.url)(`kerberos/bin/${process.platform}-${process.arch}/kerberos.node`);
