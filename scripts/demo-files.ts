/**
 * Writes a folder like that of an inspector: photos, certificates and reports in nested folders, with realistic names.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { strToU8, zipSync } from 'fflate';

const FOLDERS = ['Bilder', 'Bilder/Källare', 'Bilder/Tak & fasad', 'Protokoll 2026', 'Intyg/El', 'Intyg/Hiss 🛗', ''];
const STEMS = [
  'Foto',
  'Elcentral åäö',
  'Brandlarm 🔥',
  'Report of the second visit',
  'Intyg',
  "Owner's letter",
  'Ventilation_OVK',
];

const SMALLEST_BYTES = 1_000;
const LARGEST_BYTES = 5_000_000;

/** A grey picture of one pixel. Viewers ignore the bytes after its end mark. */
const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q==',
  'base64',
);

const jpeg = (sizeBytes: number): Buffer => Buffer.concat([JPEG, randomBytes(Math.max(0, sizeBytes - JPEG.length))]);

/** Creates a PDF of about `sizeBytes` bytes. It has one empty page, and a stream that no page shows. */
const pdf = (sizeBytes: number): Buffer => {
  const stream = randomBytes(Math.max(0, sizeBytes - 330));
  const objects = [
    '1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n',
    '2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n',
    '3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>\nendobj\n',
    `4 0 obj\n<</Length ${stream.length}>>\nstream\n`,
  ];
  const head = `%PDF-1.4\n${objects.join('')}`;
  const tail = '\nendstream\nendobj\ntrailer\n<</Root 1 0 R/Size 5>>\n%%EOF\n';
  return Buffer.concat([Buffer.from(head, 'latin1'), stream, Buffer.from(tail, 'latin1')]);
};

const docx = (sizeBytes: number): Buffer => {
  const types =
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
  const relations =
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';
  const document =
    '<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Inspection report</w:t></w:r></w:p></w:body></w:document>';
  return Buffer.from(
    zipSync(
      {
        '[Content_Types].xml': strToU8(types),
        '_rels/.rels': strToU8(relations),
        'word/document.xml': strToU8(document),
        'word/media/photo.bin': randomBytes(Math.max(0, sizeBytes - 1_800)),
      },
      { level: 0 },
    ),
  );
};

const KINDS = [
  { extension: 'jpg', make: jpeg },
  { extension: 'pdf', make: pdf },
  { extension: 'docx', make: docx },
] as const;

/**
 * Returns a size. The sizes are spread evenly over the orders of magnitude, as in real folders: many small files, few
 * large ones.
 */
const sizeOf = (index: number): number => {
  const share = ((index * 7919) % 1000) / 999;
  return Math.round(SMALLEST_BYTES * (LARGEST_BYTES / SMALLEST_BYTES) ** share);
};

/** Writes `count` files below `root`, the last one empty. The same count gives the same names and sizes. */
export const writeDemoFiles = async (root: string, count: number): Promise<void> => {
  for (let index = 0; index < count - 1; index += 1) {
    const folder = FOLDERS[index % FOLDERS.length] ?? '';
    const { extension, make } = KINDS[index % KINDS.length] ?? KINDS[0];
    const stem = `${STEMS[index % STEMS.length]} ${String(index - (index % 3)).padStart(4, '0')}`;
    await write(
      join(root, folder, `${stem} ${index % 5 === 0 ? '' : index}`.trim().concat('.', extension)),
      make(sizeOf(index)),
    );
  }
  await write(join(root, 'Anteckningar.txt'), Buffer.alloc(0));
};

const write = async (path: string, content: Buffer): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
};
