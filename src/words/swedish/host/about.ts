import type { about as english } from '../../english/host/about.ts';
import type { Translation } from '../../translation.ts';

export const about: Translation<typeof english> = {
  version: 'Version {{version}}',
  runtime: 'Electron {{electron}}, Chromium {{chrome}}, Node.js {{node}}',
  ok: 'OK',
  licences: 'Licenser',
};
