import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { NOTHING_ASKED, type Reachability } from '../../../contract/connection.ts';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import { Language } from '../../../contract/preferences.ts';
import type { Batch } from '../../../contract/uploads.ts';
import type { WatchedFolder } from '../../../contract/watched-folders.ts';
import { createHostSpeech } from '../../../words/speech.ts';
import {
  closingOf,
  type DesktopStatus,
  desktopStatus,
  jumpListTasks,
  setAutostart,
  trayIcon,
  trayTemplate,
  trayText,
  uploadNotice,
} from './desktop-status.ts';

const batch = (uploadId: string, state: Batch['state'], more: Partial<Batch> = {}): Batch => ({
  batchId: `${uploadId} ${state}`,
  uploadId,
  state,
  AssignmentId: 'one',
  root: '/home/anna/Photos',
  createdAtMs: 0,
  files: 10,
  uploaded: 4,
  skipped: 0,
  failed: 0,
  cancelled: 0,
  bytes: 100,
  bytesSent: 40,
  bytesPerSecond: 9,
  leftOut: { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 },
  ...more,
});
const reason = (code: 'auth/expired' | 'upload/scheduled' | 'upload/cancelling' | 'service/unreachable') =>
  toErrorData(new DeskError(code, ''));
const gone: Reachability = {
  service: { state: 'online' },
  storage: { state: 'unreachable', host: 'a.example', sinceMs: 1, reason: reason('service/unreachable') },
};
const watched = (paused: boolean) => [{ paused } as WatchedFolder];
const statusOf = (batches: readonly Batch[], reachability = NOTHING_ASKED, watchedFolders: WatchedFolder[] = []) =>
  desktopStatus({ batches, reachability, watchedFolders });

describe('the status of the desk', () => {
  it('counts uploads, not their folders', () => {
    const { active, progress } = statusOf([
      batch('a', 'running'),
      batch('a', 'scanning', { uploaded: 1 }),
      batch('b', 'finished', { uploaded: 10, bytesSent: 100 }),
    ]);
    expect(active).toEqual(['a']);
    expect(progress).toBeCloseTo(0.25, 3);
  });

  it('has progress where all files are empty, and none without an upload', () => {
    expect(statusOf([batch('a', 'running', { bytes: 0, bytesSent: 0 })]).progress).toBe(0.4);
    expect(statusOf([batch('a', 'scanning', { bytes: 0, bytesSent: 0, files: 0, uploaded: 0 })]).progress).toBe(0);
    expect(statusOf([]).progress).toBeUndefined();
  });

  it('tells pauses apart', () => {
    const status = statusOf([
      batch('by the person', 'paused'),
      batch('by the sign-in', 'paused', { reason: reason('auth/expired') }),
      batch('by its hours', 'paused', { reason: reason('upload/scheduled') }),
      batch('by being cancelled', 'paused', { reason: reason('upload/cancelling') }),
    ]);
    expect(status).toMatchObject({
      active: [],
      paused: ['by the person'],
      stopped: ['by the sign-in'],
      scheduled: ['by its hours'],
    });
  });

  it('waits only while an upload is in progress', () => {
    expect(statusOf([batch('a', 'running')], gone).waits).toBe(true);
    expect(statusOf([batch('a', 'paused')], gone).waits).toBe(false);
  });

  it('watches unless every folder is paused', () => {
    expect(statusOf([], NOTHING_ASKED, watched(false)).watches).toBe(true);
    expect(statusOf([], NOTHING_ASKED, watched(true)).watches).toBe(false);
  });
});

describe('closing the window', () => {
  const idle = statusOf([batch('a', 'finished'), batch('b', 'paused')]);
  const busy = statusOf([batch('a', 'running')]);
  const later = statusOf([batch('a', 'paused', { reason: reason('upload/scheduled') })]);
  const watching = statusOf([], NOTHING_ASKED, watched(false));

  it('closes it when nothing would be interrupted', () => {
    expect(closingOf(idle, true, true)).toBe('close');
    expect(closingOf(watching, false, true)).toBe('close');
  });

  it.each([
    ['an upload', busy],
    ['a later upload', later],
    ['watched folders', watching],
  ] as const)('keeps %s running', (_, status) => {
    expect(closingOf(status, true, true)).toBe('background');
    expect(closingOf(status, true, false)).toBe('minimise');
  });

  it('asks if uploads are not to be kept running', () => {
    expect(closingOf(busy, false, true)).toBe('ask');
    expect(closingOf(later, false, false)).toBe('ask');
  });
});

const idle: DesktopStatus = {
  active: [],
  scheduled: [],
  paused: [],
  stopped: [],
  waits: false,
  progress: undefined,
  watches: false,
};
const uploading: DesktopStatus = { ...idle, active: ['a', 'b'], progress: 0.29 };
const states: readonly (readonly [string, DesktopStatus, string, ReturnType<typeof trayIcon>])[] = [
  ['nothing', idle, 'No uploads in progress', 'idle'],
  ['watched folders', { ...idle, watches: true }, 'Watching folders', 'idle'],
  ['uploads', uploading, '2 uploads in progress, 29%', 'uploading'],
  ['an upload almost done', { ...idle, active: ['a'], progress: 0.999 }, '1 upload in progress, 99%', 'uploading'],
  ['a lost network', { ...uploading, waits: true }, '2 uploads waiting for a connection', 'attention'],
  ['a paused upload', { ...idle, paused: ['a'], watches: true }, '1 upload paused', 'idle'],
  ['a stopped upload', { ...idle, stopped: ['a'], paused: ['b'] }, '1 upload needs attention', 'attention'],
  ['a later upload', { ...idle, scheduled: ['a'] }, '1 upload scheduled', 'idle'],
];

describe('the tray', () => {
  it.each(states)('says in a few words what goes on: %s', async (_, status, text, icon) => {
    expect(trayText(status, await createHostSpeech('en'))).toBe(text);
    expect(trayIcon(status)).toBe(icon);
  });

  it('offers what is possible now', async () => {
    const speech = await createHostSpeech('en');
    const actions = { onOpen: () => {}, onPause: () => {}, onResume: () => {}, onQuit: () => {} };
    const ids = (status: DesktopStatus) =>
      trayTemplate('Desk', status, actions, speech).flatMap(({ id }) => (id === undefined ? [] : [id]));
    expect(ids(idle)).toEqual(['open', 'quit']);
    expect(ids(uploading)).toEqual(['open', 'pause', 'quit']);
    expect(ids({ ...uploading, paused: ['c'] })).toEqual(['open', 'pause', 'resume', 'quit']);
  });

  it.each(Language.options)('has its words in %s', async (language) => {
    const speech = await createHostSpeech(language);
    const texts = states.map(([, status]) => trayText(status, speech));
    expect(new Set(texts).size).toBe(texts.length);
  });
});

const program = 'C:\\Program Files\\Inspection Desk\\Inspection Desk.exe';
const noUploads = { active: [], paused: [] };

describe('the tasks of the taskbar', () => {
  it('are what is possible now', async () => {
    const speech = await createHostSpeech('en');
    const titles = (status: { readonly active: readonly string[]; readonly paused: readonly string[] }) =>
      jumpListTasks({ program, args: [] }, status, speech).map(({ title }) => title);
    expect(titles(noUploads)).toEqual(['New Upload']);
    expect(titles({ active: ['a'], paused: [] })).toEqual(['New Upload', 'Pause Uploads']);
    expect(titles({ active: ['a'], paused: ['b'] })).toEqual(['New Upload', 'Pause Uploads', 'Resume Uploads']);
  });

  it('start the program on the same data, with its icon', async () => {
    const args = ['--home', 'C:\\Data of Jens\\'];
    const [first] = jumpListTasks({ program, args }, noUploads, await createHostSpeech('en'));
    expect(first).toMatchObject({
      program,
      arguments: '--home "C:\\Data of Jens\\\\" --task=new-upload',
      iconPath: program,
      iconIndex: 0,
    });
  });

  it.each(Language.options)('have their words in %s', async (language) => {
    const speech = await createHostSpeech(language);
    const tasks = jumpListTasks({ program, args: [] }, { active: ['a'], paused: ['b'] }, speech);
    expect(new Set(tasks.map(({ title }) => title)).size).toBe(3);
  });
});

it.each([
  ['plain', 'plain'],
  ['C:\\plain\\', 'C:\\plain\\'],
  ['', '""'],
  ['two words', '"two words"'],
  ['ends in a backslash\\', '"ends in a backslash\\\\"'],
  ['a "quoted" word', '"a \\"quoted\\" word"'],
  ['before a mark \\"', '"before a mark \\\\\\""'],
])('an argument is quoted as programs of Windows read it: %s', async (argument, line) => {
  const speech = await createHostSpeech('en');
  const [task] = jumpListTasks({ program: 'desk.exe', args: [argument] }, { active: [], paused: [] }, speech);
  expect(task?.arguments).toBe(`${line} --task=new-upload`);
});

const useAutostart = () => {
  const XDG_CONFIG_HOME = mkdtempSync(join(tmpdir(), 'autostart-'));
  onTestFinished(() => rmSync(XDG_CONFIG_HOME, { recursive: true }));
  const path = join(XDG_CONFIG_HOME, 'autostart', 'com.inspectiondesk.app.desktop');
  return {
    path,
    set: (wanted: boolean, ...command: string[]) =>
      setAutostart(wanted, 'Inspection Desk', ['/opt/Inspection Desk/inspection-desk', ...command], {
        XDG_CONFIG_HOME,
      }),
    entry: () => readFileSync(path, 'utf8'),
  };
};

test('the entry is where the desktop looks, and starts the program without its window', () => {
  const { path, set, entry } = useAutostart();
  set(true);
  expect(entry()).toBe(
    '[Desktop Entry]\nType=Application\nName=Inspection Desk\nExec="/opt/Inspection Desk/inspection-desk" --hidden\nTerminal=false\n',
  );
  set(false);
  expect(existsSync(path)).toBe(false);
});

test('the entry quotes what its key has a meaning for', () => {
  const { set, entry } = useAutostart();
  set(true, '--home', '/home/a$b/100%/"x"');
  expect(entry()).toContain(' "--home" "/home/a\\\\$b/100%%/\\\\"x\\\\"" --hidden\n');
});

test.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])(
  'an entry that a user has turned off stays: %s',
  (line) => {
    const { path, set, entry } = useAutostart();
    set(true);
    writeFileSync(path, `${entry()}${line}\n`);
    set(true);
    expect(entry()).toContain(line);
    // The app's own setting turns it on again.
    set(false);
    set(true);
    expect(entry()).not.toContain(line);
  },
);

test('no name of a folder or an assignment is markup in a notification', async () => {
  const link = '<a href="https:service.test">Sign in';
  const batches = [batch('1', 'finished', { root: `/Jobs/${link}`, title: link }), batch('2', 'finished')] as const;
  for (const told of [[batches[0]] as const, batches])
    expect(uploadNotice(told, await createHostSpeech('en')).body).toMatch(/^[^<]*‹a href[^<]*$/);
});
