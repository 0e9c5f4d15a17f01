import { expect, test, vi } from 'vitest';
import { createBridge } from './bridge.ts';

const photo = new File(['jpeg'], 'roof.jpg');
const report = new File(['pdf'], 'report.pdf');
const paths = new Map([
  [photo, '/photos/roof.jpg'],
  [report, '/reports/report.pdf'],
]);
/** Like Electron's function, returns an empty path for a file that a script created. */
const pathOf = (file: File) => paths.get(file) ?? '';

/**
 * Passes `files` to the bridge. Returns what the page gets, and the paths that main gets; these are undefined if the
 * call does not reach main.
 */
const adopted = async (files: unknown) => {
  const invoke = vi.fn(async (_channel: string, _paths: unknown) => 'adopted');
  const bridge = createBridge({ invoke, send: vi.fn(), on: vi.fn() }, pathOf);
  const response = await bridge.adoptDropped(files as readonly File[]);
  return { response, paths: invoke.mock.calls[0]?.[1] };
};

test('A1: asks for the path of each file', async () => {
  expect(await adopted([photo, report])).toEqual({
    response: 'adopted',
    paths: ['/photos/roof.jpg', '/reports/report.pdf'],
  });
});

test.each([
  ['an object with a `map` of its own', { map: () => ['/etc/passwd'] }],
  ['an object like a list', { length: 1, 0: photo }],
  ['a function', () => ['/etc/passwd']],
  ['a promise', Promise.resolve([photo])],
  // biome-ignore lint/suspicious/noThenProperty: an attacker writes one.
  ['a thenable', { then: (resolve: (value: unknown) => void) => resolve(['/etc/passwd']) }],
  ['paths', ['/etc/passwd']],
  ['a path among files', [photo, '/etc/passwd']],
  ['a text object', [new String('/etc/passwd')]],
  ['a file of a script', [photo, new File(['x'], '/etc/passwd')]],
  ['part of a file', [photo.slice()]],
  ['an object with the prototype of a file', [Object.create(File.prototype)]],
  ['a list with holes', new Array(2)],
  ['nothing', undefined],
  ['null', null],
])('A1: refuses %s', async (_what, files) => {
  const { response, paths } = await adopted(files);
  expect(response).toMatchObject({ ok: false, error: { code: 'input/invalid' } });
  expect(paths).toBeUndefined();
});

test('A1: calls no method of the list, and reads each file once', async () => {
  const called = vi.fn(() => ['/etc/passwd']);
  const reads = vi.fn(() => (reads.mock.calls.length === 1 ? photo : '/etc/passwd'));
  const files = Object.assign([photo], { map: called, forEach: called, [Symbol.iterator]: called, toJSON: called });
  Object.defineProperty(files, 0, { get: reads });
  expect((await adopted(files)).paths).toEqual(['/photos/roof.jpg']);
  expect(called).not.toHaveBeenCalled();
  expect(reads).toHaveBeenCalledOnce();
});
