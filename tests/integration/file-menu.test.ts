/** The menu of files and folders: its items, and the path that is passed to the system. */
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FileAction, FileMenuTarget } from '../../src/contract/files.ts';
import { openDesk, openSignedIn } from './support/desks.ts';
import { makeDirectory, makeFolder, writeTree } from './support/folders.ts';
import { always, silence, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();
const at = { x: 12, y: 34 };

/**
 * Opens a desk in whose menus the user always chooses `choice`. Records the menus, and the calls that show or open a
 * file.
 */
const openWithMenus = async (choice: { action: FileAction | undefined }) => {
  const menus: unknown[] = [];
  const asked: string[] = [];
  const desk = await openSignedIn({
    sandbox: sandbox.address,
    host: {
      chooseFileAction: async (actions, point) => {
        menus.push([actions, point]);
        return choice.action;
      },
      openFile: async (path) => void asked.push(`open ${path}`),
      showInFolder: (path) => void asked.push(`show ${path}`),
    },
  });
  const menu = async (of: FileMenuTarget) => desk.handlers.files.menu({ of, at });
  return { desk, menu, menus, asked };
};

test('a file of an upload is opened or shown where it lies, and a program is only shown', async () => {
  const choice: { action: FileAction | undefined } = { action: 'open' };
  const { desk, menu, menus, asked } = await openWithMenus(choice);
  const root = join(makeDirectory(), 'Job');
  writeTree(root, { 'photos/roof.jpg': 'roof', 'setup.exe': 'runs', 'page.html': 'may run' });
  const { batchId } = await desk.upload(root, sandbox.newAssignment());
  const { files } = await desk.handlers.uploads.files({ batchId, offset: 0, limit: 10 });
  const of = (path: string): FileMenuTarget => {
    const file = files.find((one) => one.path === path);
    if (!file) throw new Error(`no ${path}`);
    return { batchId, fileId: file.id };
  };
  const both = ['open', 'showInFolder'];
  await menu(of('photos/roof.jpg'));
  expect(menus.splice(0)).toEqual([[both, at]]);
  expect(asked.splice(0)).toEqual([`open ${join(root, 'photos', 'roof.jpg')}`]);
  // Only documents can be opened, whatever item the menu returns.
  await menu(of('setup.exe'));
  await menu(of('page.html'));
  expect(menus.splice(0)).toEqual([
    [['showInFolder'], at],
    [['showInFolder'], at],
  ]);
  expect(asked.splice(0)).toEqual([`show ${join(root, 'setup.exe')}`, `show ${join(root, 'page.html')}`]);
  choice.action = 'showInFolder';
  await menu({ batchId });
  expect(asked.splice(0)).toEqual([`show ${root}`]);
  const found = await desk.handlers.files.find({ text: 'roof', offset: 0, limit: 10, complete: true });
  expect(found.files).toMatchObject([of('photos/roof.jpg')]);
  choice.action = undefined;
  await menu(of('photos/roof.jpg'));
  expect(asked).toEqual([]);
});

test('a folder whose upload still has files to send can be sent first', async () => {
  await sandbox.control.faults.add(always('storage-put', silence));
  const choice: { action: FileAction | undefined } = { action: 'sendFirst' };
  const { desk, menu, menus, asked } = await openWithMenus(choice);
  const root = makeFolder({ 'a.pdf': 'a' });
  const { batchId } = await desk.uploads.start({ root, assignmentId: sandbox.newAssignment() });
  await desk.when(batchId, ({ files }) => files === 1);
  await menu({ batchId });
  expect(menus.splice(0)).toEqual([[['showInFolder', 'sendFirst'], at]]);
  expect(await desk.uploads.get(batchId)).toMatchObject({ isFirst: true });
  expect(asked).toEqual([]);
});

test('a file or folder that is gone, or in whose place a link is, is neither opened nor shown', async () => {
  const { desk, menu, asked } = await openWithMenus({ action: 'open' });
  const root = join(makeDirectory(), 'Job');
  writeTree(root, { 'a.pdf': 'a', 'b.pdf': 'b' });
  const { batchId } = await desk.upload(root, sandbox.newAssignment());
  const { files } = await desk.handlers.uploads.files({ batchId, offset: 0, limit: 10 });
  const [a, b] = files.map(({ id }) => ({ batchId, fileId: id }));
  if (!a || !b) throw new Error('two files were uploaded');
  rmSync(join(root, 'a.pdf'));
  await expect(menu(a)).rejects.toMatchObject({ code: 'upload/file-missing', details: { path: 'a.pdf' } });
  const other = makeFolder({ 'secret.pdf': 'secret' });
  rmSync(join(root, 'b.pdf'));
  symlinkSync(join(other, 'secret.pdf'), join(root, 'b.pdf'));
  await expect(menu(b)).rejects.toMatchObject({ code: 'upload/file-linked', details: { path: 'b.pdf' } });
  rmSync(root, { recursive: true });
  symlinkSync(other, root);
  writeFileSync(join(other, 'a.pdf'), 'another a');
  await expect(menu(a)).rejects.toMatchObject({ code: 'upload/file-linked' });
  rmSync(root);
  await expect(menu({ batchId })).rejects.toMatchObject({ code: 'upload/folder-missing', details: { path: root } });
  await expect(menu({ batchId, fileId: 1 })).rejects.toMatchObject({ code: 'input/invalid' });
  expect(asked).toEqual([]);
});

test('the folders and files of a review, and watched folders, are shown', async () => {
  const { desk, menu, menus, asked } = await openWithMenus({ action: 'showInFolder' });
  const root = makeFolder({ 'Site A/photo.jpg': 'pixels' });
  const { folderId } = desk.adopt({ root });
  await desk.handlers.drafts.open({ folderIds: [folderId], AssignmentId: sandbox.newAssignment() });
  const listed = async () =>
    (await desk.handlers.drafts.rows({ filter: 'all', descending: false, offset: 0, limit: 9 })).rows;
  await expect.poll(listed).toHaveLength(1);
  const [row] = await listed();
  await menu({ rowId: row?.rowId ?? 0 });
  await menu({ rowId: row?.rowId ?? 0, path: 'Site A/photo.jpg' });
  const watched = makeDirectory();
  const rules = { onClash: 'rename', hours: [] } as const;
  await desk.handlers.watchedFolders.add({ folderId: desk.adopt({ root: watched }).folderId, rules, existing: false });
  const [{ watchedId = 0 } = {}] = desk.snapshot().watchedFolders;
  await menu({ watchedId });
  expect(asked).toEqual([`show ${root}`, `show ${join(root, 'Site A', 'photo.jpg')}`, `show ${watched}`]);
  expect(menus).toEqual([
    [['showInFolder'], at],
    [['open', 'showInFolder'], at],
    [['showInFolder'], at],
  ]);
  await expect(menu({ watchedId: watchedId + 1 })).rejects.toMatchObject({ code: 'watch/unknown' });
});

test('a host without such menus reports that', async () => {
  const { handlers } = await openDesk();
  await expect(handlers.files.menu({ of: { rowId: 1 }, at })).rejects.toMatchObject({ code: 'app/unsupported' });
});
