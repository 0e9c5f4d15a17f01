/** The dialog about the app. */
export const about = {
  version: 'Version {{version}}',
  runtime: 'Electron {{electron}}, Chromium {{chrome}}, Node.js {{node}}',
  ok: 'OK',
  licences: 'Licences',
} as const;
