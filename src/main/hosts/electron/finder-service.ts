/**
 * Installs the app's service in Finder's menus on macOS. An Electron app cannot provide a service itself, so the
 * service is an Automator workflow: a folder in build/ with a script that opens the selection with the app.
 */
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

const SERVICE = 'Upload with Inspection Desk.workflow';

/** `resources`: the app's folder of resources, which contains the service; `home`: the user's home folder. */
type Places = { readonly resources: string; readonly home: string };

/** Installs the service, unless the same version is already installed. Rejects with errors of the file system. */
export const installFinderService = async ({ resources, home }: Places): Promise<void> => {
  const [from, services] = [join(resources, SERVICE), join(home, 'Library', 'Services')];
  const to = join(services, SERVICE);
  if ((await textsIn(from)) === (await textsIn(to).catch(() => undefined))) return;
  await mkdir(services, { recursive: true });
  await rm(to, { recursive: true, force: true });
  await cp(from, to, { recursive: true });
};

const textsIn = async (folder: string): Promise<string> => {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const texts = paths.sort().map(async (path) => [path.slice(folder.length), await readFile(path, 'utf8')]);
  return JSON.stringify(await Promise.all(texts));
};
