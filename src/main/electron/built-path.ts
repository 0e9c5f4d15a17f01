import { join } from 'node:path';
import { app } from 'electron';

/** The absolute path of `path` in `out/`, wherever the bundler put the module that asks. */
export const builtPath = (path: string): string => join(app.getAppPath(), 'out', path);
