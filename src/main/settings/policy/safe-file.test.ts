import { expect, test } from 'vitest';
import { isSafeDescriptor } from './safe-file.ts';

const admins = '(A;ID;FA;;;SY)(A;ID;FA;;;BA)';

test.each([
  ['a file of an administrator below ProgramData', 'file', `O:BAG:DUD:AI${admins}(A;ID;0x1200a9;;;BU)`, true],
  ['a file of SYSTEM', 'file', `O:SYG:SYD:${admins}`, true],
  ['a file of a user', 'file', `O:S-1-5-21-1-2-3-1001G:DUD:AI${admins}`, false],
  ['a file that a user may change', 'file', `O:BAG:DUD:AI${admins}(A;ID;FA;;;S-1-5-21-1-2-3-1001)`, false],
  ['a file that users may write', 'file', `O:BAG:DUD:AI${admins}(A;;0x1301bf;;;BU)`, false],
  ['a file that users may read, in letters', 'file', `O:BAG:DUD:AI${admins}(A;;FRFX;;;BU)`, true],
  ['a file that everybody may append to, in letters', 'file', `O:BAG:DUD:AI${admins}(A;;LC;;;WD)`, false],
  ['a file that users are denied', 'file', `O:BAG:DUD:(D;;FA;;;BU)${admins}`, true],
  ['a file without a list', 'file', 'O:BAG:DUD:NO_ACCESS_CONTROL', false],
  ['a file with a condition', 'file', 'O:BAG:DUD:(XA;;FA;;;WD;(Member_of {SID(BU)}))', false],
  ['a folder that users may add files to', 'folder', `O:BAG:DUD:AI${admins}(A;CIID;DCLCRPCR;;;BU)`, true],
  ['a folder whose files users may delete', 'folder', `O:BAG:DUD:AI${admins}(A;CIID;DT;;;BU)`, false],
  ['a folder with rights for what is below', 'folder', `O:BAG:DUD:AI${admins}(A;OICIIOID;GA;;;CO)`, true],
  ['nothing', 'file', '', false],
] as const)('%s', (_, kind, sddl, isSafe) => {
  expect(isSafeDescriptor(`${sddl}\r\n`, kind)).toBe(isSafe);
});
