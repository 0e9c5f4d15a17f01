/** Whether only administrators can change a policy file. Another user could otherwise lead everybody to a service of theirs. */
import type { Stats } from 'node:fs';

/** Root's, and neither its group nor everybody may write. `uid`: whose it has to be. */
export const isSafeMode = ({ uid, mode }: Pick<Stats, 'uid' | 'mode'>, trusted: number): boolean =>
  uid === trusted && (mode & 0o022) === 0;

/** SYSTEM, Administrators, TrustedInstaller. */
const TRUSTED = /^(SY|BA|S-1-5-18|S-1-5-32-544|S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464)$/;

/** Bits of an access mask by the letters that SDDL has for them ([MS-DTYP] 2.5.1.1). */
const RIGHTS: Readonly<Record<string, number>> = {
  GA: 0x1000_0000,
  GW: 0x4000_0000,
  FA: 0x1f_01ff,
  FW: 0x12_0116,
  WO: 0x8_0000,
  WD: 0x4_0000,
  SD: 0x1_0000,
  CC: 0x1,
  DC: 0x2,
  LC: 0x4,
  SW: 0x8,
  RP: 0x10,
  WP: 0x20,
  DT: 0x40,
  LO: 0x80,
  CR: 0x100,
};

/** To take over, delete or write anything of it. */
const GENERIC = 0x1000_0000 | 0x4000_0000 | 0x8_0000 | 0x4_0000 | 0x1_0000;
/** Write and append. */
const CHANGE_FILE = GENERIC | 0x2 | 0x4;
/** Delete what is in it. Users may add files below ProgramData, which replaces none. */
const CHANGE_FOLDER = GENERIC | 0x40;

/** The same on Windows, by a security descriptor in SDDL (`O:BAG:…D:…`). One that cannot be read is not safe. */
export const isSafeDescriptor = (sddl: string, kind: 'file' | 'folder'): boolean => {
  const [, owner = '', entries] = /^O:(.+?)G:.+?D:[A-Z]*?((?:\([^()]*\))*)(?:S:.*)?$/s.exec(sddl.trim()) ?? [];
  // Without any entry an empty list allows nothing; a missing one (no `D:`) allows everything and does not match.
  if (entries === undefined || !TRUSTED.test(owner)) return false;
  return [...entries.matchAll(/\(([^()]*)\)/g)].every(([, entry = '']) => {
    const [type = '', flags = '', rights = '', , , who = ''] = entry.split(';');
    const isDeny = type === 'D' || type === 'XD' || type === 'OD';
    // Inherit only: holds for what is below.
    if (isDeny || /^(..)*IO/.test(flags) || TRUSTED.test(who)) return true;
    return (maskOf(rights) & (kind === 'file' ? CHANGE_FILE : CHANGE_FOLDER)) === 0;
  });
};

const maskOf = (rights: string): number =>
  rights.startsWith('0x')
    ? Number.parseInt(rights, 16)
    : (rights.match(/../g) ?? []).reduce((mask, letters) => mask | (RIGHTS[letters] ?? 0), 0);
