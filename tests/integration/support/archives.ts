/** Creates archives and mails for tests, as other programs do. */
import { burn, type Entry } from '@kenjiuno/msgreader/lib/Burner.js';
import { TypeEnum } from '@kenjiuno/msgreader/lib/Reader.js';
import { zipSync } from 'fflate';
import type { Tree } from './folders.ts';

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;

const SENT = new Date('2026-05-02T08:30:00Z');

export const zipOf = (tree: Tree): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(tree).map(([path, content]) => [path, bytesOf(content)])), { mtime: SENT });

export type TestMail = { readonly subject: string; readonly from?: string; readonly date?: Date };

/** Creates a mail as servers forward it. `attachments`: by name. */
export const emlOf = (
  { subject, from = 'Anna Berg <anna@example.com>', date = SENT }: TestMail,
  attachments: Tree,
): string => {
  const boundary = 'part-of-the-mail';
  const parts = Object.entries(attachments).map(([name, content]) =>
    [
      `Content-Type: application/octet-stream; name="${name}"`,
      `Content-Disposition: attachment; filename*=utf-8''${encodeURIComponent(name)}`,
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(bytesOf(content)).toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
    ].join('\r\n'),
  );
  return [
    `From: ${from}`,
    'To: office@example.com',
    `Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`,
    `Date: ${date.toUTCString()}`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    ...['Content-Type: text/plain\r\n\r\nSee the attachments.', ...parts].map((part) => `--${boundary}\r\n${part}`),
    `--${boundary}--`,
    '',
  ].join('\r\n');
};

/** A copy, because the library cannot use a part of a larger buffer. */
const unicode = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'utf16le'));

/** Creates a mail as Outlook saves it. */
export const msgOf = ({ subject, from = 'Anna Berg' }: TestMail, attachments: Tree): Uint8Array => {
  const entries: Entry[] = [{ name: 'Root Entry', type: TypeEnum.ROOT, children: [], length: 0 }];
  const add = (parent: number, name: string, content?: Uint8Array): number => {
    const at = entries.push({
      name,
      type: content ? TypeEnum.DOCUMENT : TypeEnum.DIRECTORY,
      length: content?.length ?? 0,
      ...(content ? { binaryProvider: () => content } : { children: [] }),
    });
    entries[parent]?.children?.push(at - 1);
    return at - 1;
  };
  add(0, '__properties_version1.0', new Uint8Array(32));
  add(0, '__substg1.0_001A001F', unicode('IPM.Note'));
  add(0, '__substg1.0_0037001F', unicode(subject));
  add(0, '__substg1.0_0C1A001F', unicode(from));
  for (const [index, [name, content]] of Object.entries(attachments).entries()) {
    const folder = add(0, `__attach_version1.0_#${index.toString(16).padStart(8, '0')}`);
    add(folder, '__properties_version1.0', new Uint8Array(8));
    add(folder, '__substg1.0_37010102', bytesOf(content));
    add(folder, '__substg1.0_3707001F', unicode(name));
  }
  return burn(entries);
};
