// @ts-check
/**
 * The preview's bridge, which the browser runs before the app's own script. It connects the page to the host over HTTP,
 * as the preload script does in Electron. It is plain JavaScript, because it is served unchanged.
 *
 * @typedef {import('../../../contract/calls.ts').Bridge} Bridge
 * @typedef {import('../../../contract/errors.ts').Envelope<unknown>} Envelope
 * @typedef {{ readonly path: string, readonly file: File }} StagedFile
 */

const FILES_AT_ONCE = 4;

/**
 * The name of the key in the session storage. Each tab has its own session storage for each origin, including the port.
 */
const KEY = 'inspection-desk-key';

// The key arrives in the fragment of the address, which browsers never send, and is removed from the address.
if (location.hash !== '') {
  sessionStorage.setItem(KEY, location.hash.slice(1));
  history.replaceState(null, '', location.pathname + location.search);
}
const key = sessionStorage.getItem(KEY) ?? '';

/**
 * Sends a request with the key; shows the host's refusal if the key is wrong.
 * @param {string} path
 * @param {RequestInit} [init]
 */
const ask = async (path, init) => {
  const response = await fetch(path, { ...init, headers: { 'X-Inspection-Desk-Key': key } });
  if (response.status === 403) location.replace('/desk/closed');
  return response;
};

/** @param {string} path @param {BodyInit} [body] @returns {Promise<Envelope>} */
const post = async (path, body = '{}') => {
  try {
    const response = await ask(path, { method: 'POST', body });
    return await response.json();
  } catch {
    const message = 'the preview has stopped';
    return { ok: false, error: { code: 'app/bug', message, retry: 'never', details: {} } };
  }
};

/**
 * Sends the files to the host, and resolves to the folders that the host has adopted.
 * @param {readonly StagedFile[]} files
 */
const stage = async (files) => {
  const opened = await post('/desk/staging');
  if (!opened.ok) return opened;
  const waiting = files.values();
  const send = async () => {
    for (const { path, file } of waiting) {
      const sent = await post(`/desk/staging/${opened.value}/files?path=${encodeURIComponent(path)}`, file);
      if (!sent.ok) return sent;
    }
    return undefined;
  };
  const failed = (await Promise.all(Array.from({ length: FILES_AT_ONCE }, send))).find((answer) => answer);
  return failed ?? post(`/desk/staging/${opened.value}/adopt`);
};

/** The files of the folder that the user picks; none if the user cancels. @returns {Promise<readonly StagedFile[]>} */
const pickFiles = () =>
  new Promise((resolve) => {
    const input = document.createElement('input');
    /** @param {readonly File[]} files */
    const end = (files) => {
      input.remove();
      resolve(files.map((file) => ({ path: file.webkitRelativePath, file })));
    };
    Object.assign(input, { type: 'file', webkitdirectory: true, hidden: true });
    input.onchange = () => end([...(input.files ?? [])]);
    input.oncancel = () => end([]);
    document.body.append(input);
    input.click();
  });

/** @returns {Promise<Envelope>} */
const pickFolder = async () => {
  const files = await pickFiles();
  if (files.length === 0) return { ok: true, value: undefined };
  const staged = await stage(files);
  return staged.ok ? { ok: true, value: /** @type {readonly unknown[]} */ (staged.value)[0] } : staged;
};

/** Every file below `entry`, with its path from there. @param {FileSystemEntry} entry @returns {Promise<StagedFile[]>} */
const filesBelow = async (entry) => {
  const path = entry.fullPath.slice(1);
  if (entry.isFile) {
    const get = /** @type {FileSystemFileEntry} */ (entry).file.bind(entry);
    return [{ path, file: await new Promise(get) }];
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  const found = [];
  for (;;) {
    // Each call of `readEntries` returns some of the entries, and none at the end.
    const part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return found;
    for (const child of part) found.push(...(await filesBelow(child)));
  }
};

/** Entries of the current drop: a browser provides them only during the event. @type {readonly FileSystemEntry[]} */
let dropped = [];
window.addEventListener(
  'drop',
  ({ dataTransfer }) => {
    dropped = [...(dataTransfer?.items ?? [])].flatMap((item) => item.webkitGetAsEntry() ?? []);
    // If `adoptDropped` is called after the event, its files come from elsewhere, such as a file input.
    setTimeout(() => {
      dropped = [];
    });
  },
  { capture: true },
);

/** @type {Bridge['adoptDropped']} */
const adoptDropped = async (chosen) => {
  // The host accepts only files in folders, so files without one are put into `Files`.
  const loose = (/** @type {string} */ path, /** @type {File} */ file) => ({ path: `Files/${path}`, file });
  if (dropped.length === 0) return stage(chosen.map((file) => loose(file.name, file)));
  const placed = dropped.map(async (entry) => {
    const files = await filesBelow(entry);
    return entry.isFile ? files.map(({ path, file }) => loose(path, file)) : files;
  });
  return stage((await Promise.all(placed)).flat());
};

const RECONNECT_AFTER_MS = 1_000;
/** The listeners of each event. @type {Map<string, Set<(data: string) => void>>} */
const listeners = new Map();
/** @param {string} event @param {(data: string) => void} deliver */
const on = (event, deliver) => {
  const of = listeners.get(event) ?? new Set();
  listeners.set(event, of.add(deliver));
};

/** Passes on what the host sends: blocks of lines `event: …` and `data: …`, each with an empty line at its end. */
const listen = async () => {
  const { body } = await ask('/desk/events');
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const part = await reader?.read();
    if (part === undefined || part.done) return;
    const blocks = (text + part.value).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const of = (/** @type {string} */ field) => new RegExp(`^${field}: ?(.*)$`, 'm').exec(block)?.[1] ?? '';
      for (const deliver of listeners.get(of('event')) ?? []) deliver(of('data'));
    }
  }
};
const keepListening = async () => {
  for (;;) {
    await listen().catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_AFTER_MS));
  }
};
void keepListening();

/** Shows a link to the sign-in page if the browser blocks the new tab or the clipboard. @param {string} url */
const showAddress = (url) => {
  const link = document.createElement('a');
  Object.assign(link, { href: url, target: '_blank', rel: 'noopener', textContent: 'Open the sign-in page' });
  Object.assign(link.style, {
    position: 'fixed',
    bottom: '1rem',
    left: '1rem',
    padding: '0.5rem 1rem',
    background: 'Canvas',
  });
  link.onclick = () => link.remove();
  document.body.append(link);
};
/** @param {string} url */
const openAddress = (url) => {
  if (!window.open(url, '_blank')) showAddress(url);
};

on('address', openAddress);
on('copy', (text) => void navigator.clipboard.writeText(text).catch(() => showAddress(text)));
/** How long a file is available for download. A browser may begin the download some time after the click. */
const KEEP_DOWNLOAD_MS = 60_000;
/** @param {{ readonly path: string, readonly name: string }} file */
const download = async ({ path, name }) => {
  const file = await (await ask(path)).blob();
  const link = document.createElement('a');
  Object.assign(link, { href: URL.createObjectURL(file), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP_DOWNLOAD_MS);
};
on('download', (data) => void download(JSON.parse(data)));

/** @param {readonly string[]} names */
const callBridge = (names) => {
  /** @type {Record<string, Record<string, (input?: unknown, id?: string) => Promise<Envelope>>>} */
  const groups = {};
  for (const name of names) {
    const [group = '', method = ''] = name.split('.');
    groups[group] = {
      ...groups[group],
      [method]: (input, id) => post(`/desk/call/${name}`, JSON.stringify({ input, id })),
    };
  }
  return { ...groups, folders: { ...groups.folders, pick: pickFolder } };
};

Object.assign(window, {
  inspectionDesk: {
    calls: callBridge(document.currentScript?.dataset.calls?.split(' ') ?? []),
    cancel: (/** @type {string} */ id) => void post(`/desk/cancel/${id}`),
    onEvent: (/** @type {(event: unknown) => void} */ listener) => on('desk', (data) => listener(JSON.parse(data))),
    adoptDropped,
  },
});
