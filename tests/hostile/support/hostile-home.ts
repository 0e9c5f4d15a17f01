/**
 * Changes of data directories, as by an attacker or a failing disk. Each changes one place of a home that the app has
 * created and used.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A change of a home, and what the app is allowed to report about it. */
export type Damage = {
  readonly name: string;
  /** Makes the change in the data directory `home`. */
  readonly damage: (home: string) => void;
  /** The codes with which the app is allowed to refuse to start; absent: it has to start. */
  readonly refuses?: readonly string[];
  /** The code that a notice must have; absent: no notice is needed. */
  readonly says?: string;
};

const DATABASES = ['ledger.sqlite', 'outbox.sqlite', 'cache/cache.sqlite'] as const;

/** Runs SQL on a database without its constraints. */
const sql =
  (file: string, ...statements: readonly string[]) =>
  (home: string): void => {
    const db = new DatabaseSync(join(home, file));
    try {
      db.exec('PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF');
      for (const statement of statements) db.exec(statement);
    } finally {
      db.close();
    }
  };

const write =
  (file: string, content: string | Uint8Array) =>
  (home: string): void =>
    writeFileSync(join(home, file), content);

const folder =
  (file: string) =>
  (home: string): void => {
    rmSync(join(home, file), { force: true, recursive: true });
    mkdirSync(join(home, file));
    writeFileSync(join(home, file, 'inside'), 'x');
  };

const settings =
  (change: Readonly<Record<string, unknown>>) =>
  (home: string): void => {
    const path = join(home, 'settings.json');
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...change }));
  };

const LARGE = 'x'.repeat(50_000_000);
const NUMBERS = ['4503599627370496', '9223372036854775807', '-9223372036854775808', '-1'] as const;
/**
 * SQL for texts: with NUL in the middle, with a lone surrogate in WTF-8, with an escape sequence and a character that
 * reverses the direction, and a very long one.
 */
const TEXTS = [
  "'a' || char(0) || 'b'",
  "CAST(x'eda080' AS TEXT)",
  "char(27) || '[2J' || char(8238) || 'gpj.exe'",
  `printf('%.*c', 100000, 'x')`,
] as const;

const files: readonly Damage[] = [...DATABASES, 'settings.json', 'lock.sqlite'].flatMap((file) => [
  { name: `${file} is a folder`, damage: folder(file), refuses: ['data/unwritable', 'data/unsafe'] },
  { name: `${file} is a letter`, damage: write(file, 'Dear Sir or Madam, '.repeat(1000)) },
  { name: `${file} is empty`, damage: write(file, '') },
  { name: `${file} is 1 byte`, damage: write(file, '{') },
  { name: `${file} is zeros`, damage: write(file, new Uint8Array(100_000)) },
  { name: `${file} is cut in the middle`, damage: (home) => truncateSync(join(home, file), 3000) },
  {
    name: `${file} cannot be written`,
    damage: (home) => chmodSync(join(home, file), 0o400),
    refuses: ['data/unwritable'],
  },
]);

const leftovers: readonly Damage[] = DATABASES.flatMap((file) => [
  { name: `${file} has the log of another`, damage: write(`${file}-wal`, 'not a log '.repeat(10_000)) },
  { name: `${file} has a folder as log`, damage: folder(`${file}-wal`), refuses: ['data/unwritable', 'data/unsafe'] },
]);

const schemas: readonly Damage[] = DATABASES.flatMap((file) => [
  { name: `${file} is of a newer version`, damage: sql(file, 'PRAGMA user_version = 9999') },
  { name: `${file} is of no version`, damage: sql(file, 'PRAGMA user_version = -7') },
  { name: `${file} has no number`, damage: sql(file, 'PRAGMA user_version = 0') },
  { name: `${file} has a table more`, damage: sql(file, 'CREATE TABLE mine (x)') },
]);

const ledger: readonly Damage[] = [
  ...['created_ms', 'finished_ms'].flatMap((column) =>
    NUMBERS.map((number) => ({
      name: `an upload with ${column} ${number}`,
      damage: sql('ledger.sqlite', `UPDATE batch SET ${column} = ${number}`),
      ...(number !== '4503599627370496' && { says: 'data/corrupt' }),
    })),
  ),
  ...NUMBERS.flatMap((number) => [
    {
      name: `${number} files in a count`,
      damage: sql('ledger.sqlite', `UPDATE tally SET files = ${number}`),
      says: 'data/corrupt',
    },
    {
      name: `a file with ${number} attempts`,
      damage: sql('ledger.sqlite', `UPDATE item SET attempts = ${number}, settled_ms = ${number}`),
    },
    {
      name: `a file of ${number} bytes`,
      damage: sql('ledger.sqlite', 'DROP TRIGGER item_changed', `UPDATE item SET size_bytes = ${number}`),
    },
    { name: `a known file from ${number}`, damage: sql('ledger.sqlite', `UPDATE known_file SET at_ms = ${number}`) },
  ]),
  {
    name: 'an upload with the number 2^62',
    damage: sql('ledger.sqlite', 'UPDATE batch SET number = 1 << 62'),
    says: 'data/corrupt',
  },
  {
    name: 'an upload in a state that there is not',
    damage: sql('ledger.sqlite', "UPDATE batch SET state = 'gone'"),
    says: 'data/corrupt',
  },
  {
    name: 'a file in a state that there is not',
    damage: sql('ledger.sqlite', "UPDATE item SET state = 'gone'"),
  },
  ...['reason', 'left_out', 'only_names'].flatMap((column) =>
    ["'{'", "'[]x'", '\'{"code":"no/such","x":1}\''].map((value) => ({
      name: `an upload whose ${column} is ${value}`,
      damage: sql('ledger.sqlite', `UPDATE batch SET ${column} = ${value}`),
      says: 'data/corrupt',
    })),
  ),
  ...TEXTS.flatMap((text) => [
    { name: `an upload of the folder ${text}`, damage: sql('ledger.sqlite', `UPDATE batch SET root = ${text}`) },
    { name: `an upload by ${text}`, damage: sql('ledger.sqlite', `UPDATE batch SET subject = ${text}`) },
    {
      name: `a file named ${text}`,
      damage: sql('ledger.sqlite', `UPDATE item SET path = ${text}, file_name = ${text}`),
    },
  ]),
];

const outbox: readonly Damage[] = [
  ...NUMBERS.map((number) => ({
    name: `a change from ${number}`,
    damage: sql('outbox.sqlite', `UPDATE entry SET at_ms = ${number}`),
    ...(number !== '4503599627370496' && { says: 'data/left-out' }),
  })),
  {
    name: 'a change without a kind',
    damage: sql('outbox.sqlite', "UPDATE entry SET kind = 'format-disk'"),
    says: 'data/left-out',
  },
  {
    name: 'a change refused by no JSON',
    damage: sql('outbox.sqlite', "UPDATE entry SET error = '{{'"),
    says: 'data/left-out',
  },
  {
    name: 'a change with the id 2^62',
    damage: sql('outbox.sqlite', 'UPDATE entry SET id = 1 << 62'),
    says: 'data/left-out',
  },
  ...TEXTS.map((text) => ({
    name: `a change of ${text}`,
    damage: sql('outbox.sqlite', `UPDATE entry SET assignment = ${text}`),
  })),
];

const cache: readonly Damage[] = [
  ...NUMBERS.flatMap((number) => [
    {
      name: `progress of ${number} protocols`,
      damage: sql(
        'cache/cache.sqlite',
        `INSERT OR REPLACE INTO keep_all VALUES (1, 1, NULL, 1, 0, ${number}, ${number}, 0)`,
      ),
      says: 'data/left-out',
    },
    {
      name: `a pass ${number}`,
      damage: sql('cache/cache.sqlite', `UPDATE connection SET pass = ${number}`),
      says: 'data/moved-aside',
    },
    {
      name: `answers from ${number}`,
      damage: sql('cache/cache.sqlite', `UPDATE response SET fetched_ms = ${number}, unreadable = ${number}`),
    },
    {
      name: `protocols from ${number}`,
      damage: sql('cache/cache.sqlite', `UPDATE protocol SET fetched_ms = ${number}, place = ${number}`),
    },
  ]),
  { name: 'answers that are no JSON', damage: sql('cache/cache.sqlite', "UPDATE response SET frame = '{'") },
  { name: 'items that are no JSON', damage: sql('cache/cache.sqlite', "UPDATE response_part SET Items = '{'") },
  {
    name: 'answers whose parts are missing',
    damage: sql('cache/cache.sqlite', 'UPDATE response SET parts = parts + 1'),
  },
  ...TEXTS.map((text) => ({
    name: `protocols at ${text}`,
    damage: sql('cache/cache.sqlite', `UPDATE protocol SET Address = ${text}`),
  })),
];

const settingsFiles: readonly Damage[] = [
  { name: 'a newer version', damage: settings({ version: 9999 }) },
  {
    name: 'views of every kind',
    damage: settings({
      views: {
        window: { x: 2 ** 52, y: -(2 ** 52), width: 2 ** 52, height: 1, maximized: true },
        place: 'x\u0000y',
        'table.a': '\ud800',
        'table.b': [[]],
      },
    }),
  },
  { name: 'views that are a number', damage: settings({ views: 2 ** 63 }), says: 'settings/not-understood' },
  {
    name: '101 views',
    damage: settings({ views: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`v${at}`, 1])) }),
    says: 'settings/not-understood',
  },
  { name: 'a value of 50 MB', damage: settings({ future: LARGE }), says: 'data/moved-aside' },
  { name: 'a redirect to a script', damage: settings({ redirectUri: 'javascript:alert(1)' }) },
  {
    name: 'an address that is none',
    damage: settings({ connection: { baseUrl: 'http:\u0000', authUrl: '', clientId: 5 } }),
    says: 'settings/not-understood',
  },
  {
    name: 'a client that is NUL',
    damage: settings({
      connection: { baseUrl: 'http://127.0.0.1:1/a', authUrl: 'http://127.0.0.1:1/b', clientId: '\u0000\ud800' },
    }),
  },
  { name: 'a port that is none', damage: settings({ sample: { port: 2 ** 52 } }), says: 'settings/not-understood' },
  { name: 'a prototype', damage: write('settings.json', '{"__proto__":{"version":1},"constructor":{"prototype":1}}') },
  { name: 'a million brackets', damage: write('settings.json', '['.repeat(1_000_000)), says: 'data/moved-aside' },
];

const others: readonly Damage[] = [
  {
    name: 'tokens are a file',
    damage: (home) => {
      rmSync(join(home, 'tokens'), { recursive: true, force: true });
      writeFileSync(join(home, 'tokens'), 'x');
    },
  },
  {
    name: 'tokens are letters',
    damage: (home) => {
      for (const name of readdirSync(join(home, 'tokens'))) writeFileSync(join(home, 'tokens', name), LARGE);
    },
  },
  {
    name: 'tokens are folders',
    damage: (home) => {
      for (const name of readdirSync(join(home, 'tokens'))) folder(join('tokens', name))(home);
    },
  },
  {
    name: 'the logs are a file',
    damage: (home) => {
      rmSync(join(home, 'logs'), { recursive: true });
      writeFileSync(join(home, 'logs'), 'x');
    },
    refuses: ['data/unwritable', 'data/unsafe'],
  },
  {
    name: 'the log is a folder',
    damage: folder('logs/inspection-desk.log'),
    refuses: ['data/unwritable', 'data/unsafe'],
  },
  { name: 'the log has 50 MB', damage: write('logs/inspection-desk.log', LARGE) },
  {
    name: 'an older log is a folder',
    damage: (home) => {
      write('logs/inspection-desk.log', LARGE)(home);
      folder('logs/inspection-desk.log.3')(home);
    },
    refuses: ['data/unwritable'],
  },
  { name: 'the sample is a file', damage: write('sample', 'x') },
];

/** All changes of a home, in named groups. */
export const damages = {
  files,
  leftovers,
  schemas,
  ledger,
  outbox,
  cache,
  settings: settingsFiles,
  others,
};
