/**
 * Starts the proxies and the KDC of an office, from Debian's packages: squid, which uses a separate helper for each
 * authentication scheme, and a KDC that issues the tickets for Negotiate. All listen on 127.0.0.1, store their files in
 * a temporary folder, and end with the tests.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { portOf } from '../../../src/main/net/urls.ts';

const HELPERS = '/usr/lib/squid';
const REALM = 'OFFICE.TEST';

const NEEDED = ['/usr/sbin/squid', '/usr/sbin/krb5kdc', '/usr/sbin/kadmin.local', '/usr/bin/kinit'];

/** Why the office cannot be started here; undefined if it can. */
export const lacking = (): string | undefined => {
  const missing = NEEDED.filter((path) => !existsSync(path));
  if (missing.length > 0)
    return `not installed: ${missing.join(', ')} (Debian: squid, krb5-kdc, krb5-admin-server, krb5-user)`;
  if (process.getuid?.() !== 0) return 'squid needs root to become its own user';
  try {
    createRequire(import.meta.url)(`kerberos/bin/${process.platform}-${process.arch}/kerberos.node`);
    return undefined;
  } catch {
    return 'the module kerberos was not built (scripts/kerberos.mjs)';
  }
};

/** A request that a proxy has responded to. */
type Logged = {
  readonly status: number;
  /** `host:port`. */
  readonly target: string;
  readonly user: string;
  /** The scheme of the sign-in; empty without a sign-in. */
  readonly scheme: string;
};

export type OfficeProxy = {
  /** `localhost:PORT`. */
  readonly name: string;
  /** The proxy's requests; tunnels are listed once they have ended. */
  readonly taken: () => readonly Logged[];
};

export type Scheme = 'negotiate' | 'digest' | 'basic';

export type Office = {
  /**
   * Starts a proxy that offers these schemes. `closes`: whether it closes the connection after each response that opens
   * no tunnel.
   */
  readonly proxy: (schemes: readonly Scheme[], options?: { readonly closes?: boolean }) => Promise<OfficeProxy>;
  /** The environment in which libkrb5 finds the KDC and the tickets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Signs in the system's user `jo`, who gets a ticket with this lifetime. */
  readonly signIn: (lifetimeS?: number) => void;
  readonly signOut: () => void;
  readonly close: () => Promise<void>;
};

const freePort = async (): Promise<number> => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
};

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (is: boolean) => (): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', end(true)).once('error', end(false));
  });

export const openOffice = async (): Promise<Office> => {
  const place = mkdtempSync(join(tmpdir(), 'inspection-desk-office-'));
  // squid reads and writes here as another user.
  chmodSync(place, 0o777);
  const at = (name: string): string => join(place, name);
  const programs: ChildProcess[] = [];

  const start = async (program: string, args: readonly string[], port: number, env = {}): Promise<void> => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } });
    programs.push(child);
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
    });
    while (!(await listens(port))) {
      if (child.exitCode !== null) throw new Error(`${program} has ended: ${said}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  const kdcPort = await freePort();
  const environment = { KRB5_CONFIG: at('krb5.conf'), KRB5CCNAME: `FILE:${at('tickets')}` };
  const env = { ...process.env, ...environment, KRB5_KDC_PROFILE: at('kdc.conf') };
  writeFileSync(
    at('krb5.conf'),
    `[libdefaults]
 default_realm = ${REALM}
 dns_lookup_kdc = false
 dns_canonicalize_hostname = false
 rdns = false
[realms]
 ${REALM} = {
  kdc = 127.0.0.1:${kdcPort}
 }
[domain_realm]
 localhost = ${REALM}
`,
  );
  writeFileSync(
    at('kdc.conf'),
    `[kdcdefaults]
 kdc_listen = 127.0.0.1:${kdcPort}
 kdc_tcp_listen = 127.0.0.1:${kdcPort}
[realms]
 ${REALM} = {
  database_name = ${at('principal')}
  key_stash_file = ${at('stash')}
  supported_enctypes = aes256-cts:normal
 }
[logging]
 kdc = FILE:${at('kdc.log')}
`,
  );
  const run = (program: string, args: readonly string[], input = ''): string =>
    execFileSync(program, args, { env, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
  run('/usr/sbin/kdb5_util', ['create', '-s', '-r', REALM, '-P', 'master']);
  run(
    '/usr/sbin/kadmin.local',
    ['-r', REALM],
    `addprinc -pw s3cret jo\naddprinc -randkey HTTP/localhost\nktadd -k ${at('http.keytab')} HTTP/localhost\n`,
  );
  chmodSync(at('http.keytab'), 0o644);
  await start('/usr/sbin/krb5kdc', ['-n', '-r', REALM], kdcPort, env);

  const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
  writeFileSync(at('basic'), `jo:${md5('s3cret')}\n`);
  writeFileSync(at('digest'), `jo:office:${md5('jo:office:s3cret')}\n`);

  const helpers: Readonly<Record<Scheme, string>> = {
    negotiate: `auth_param negotiate program ${HELPERS}/negotiate_kerberos_auth -k ${at('http.keytab')} -s HTTP/localhost@${REALM}
auth_param negotiate children 8 startup=2 idle=1
auth_param negotiate keep_alive on`,
    digest: `auth_param digest program ${HELPERS}/digest_file_auth -c ${at('digest')}
auth_param digest children 2 startup=1 idle=1
auth_param digest realm office`,
    basic: `auth_param basic program ${HELPERS}/basic_ncsa_auth ${at('basic')}
auth_param basic children 2 startup=1 idle=1
auth_param basic realm office`,
  };

  const proxy: Office['proxy'] = async (schemes, { closes = false } = {}) => {
    const port = await freePort();
    const file = (name: string): string => at(`${port}.${name}`);
    writeFileSync(
      file('conf'),
      `http_port 127.0.0.1:${port}
visible_hostname localhost
pid_filename ${file('pid')}
cache_log ${file('log')}
logformat facts %>Hs %ru %un %{Proxy-Authorization}>h
access_log stdio:${file('access')} facts
cache deny all
cache_mem 4 MB
max_filedescriptors 1024
netdb_filename none
pinger_enable off
shutdown_lifetime 0 seconds
client_persistent_connections ${closes ? 'off' : 'on'}
${schemes.map((scheme) => helpers[scheme]).join('\n')}
acl signed proxy_auth REQUIRED
http_access allow signed
http_access deny all
`,
    );
    await start('/usr/sbin/squid', ['-N', '-n', `office${port}`, '-f', file('conf')], port, env);
    const taken = (): readonly Logged[] => {
      const lines = existsSync(file('access')) ? readFileSync(file('access'), 'utf8').split('\n').slice(0, -1) : [];
      const facts = lines.map((line) => {
        const [status = '', target = '', user = '', authorization = ''] = line.split(' ');
        return {
          status: Number(status),
          target,
          user,
          scheme: /^\w*/.exec(decodeURIComponent(authorization))?.[0] ?? '',
        };
      });
      // Leaves out the connections that only checked whether squid listens.
      return facts.filter(({ status }) => status > 0);
    };
    return { name: `localhost:${port}`, taken };
  };

  return {
    proxy,
    environment,
    signIn: (lifetimeS = 3600) => void run('/usr/bin/kinit', ['-l', `${lifetimeS}s`, `jo@${REALM}`], 's3cret\n'),
    signOut: () => rmSync(at('tickets'), { force: true }),
    close: async () => {
      await Promise.all(
        programs.map(async (child) => {
          const ended = once(child, 'exit');
          // squid is not killed, so that it removes its shared memory.
          if (child.exitCode === null && child.kill()) await ended;
        }),
      );
      rmSync(place, { recursive: true, force: true });
    },
  };
};
