// @ts-check
/**
 * The rooms of the sources. A room is a folder, whose files may import each other, the files of the rooms in it, and
 * what the table lists for it: other rooms as a whole, single files, and entries of `packages`. Packages that are not
 * in `packages` are allowed everywhere. `*` stands for any folder; each such folder is a room. A name that ends in `/.`
 * stands for the files of a room without its folders. check-layers.mjs checks the imports.
 */
export const packages = ['electron', 'node', 'react', 'react-dom', 'zustand', '@tanstack', '@fluentui'];

const base = 'contract main/async node';
const service = `${base} main/data main/net`;
const core = `${service} main/core/host.ts main/auth main/cache main/outbox main/service main/settings`;
const composed = `${core} main/updates main/uploads main/matching words`;
const host = `${composed} main/core main/hosts/shared sandbox`;
const page = 'contract words renderer/ui renderer/words renderer/state renderer/queries react @fluentui';

/** @type {Readonly<Record<string, string>>} */
export const rooms = {
  contract: '',
  words: 'contract',
  preload: 'contract electron',
  'sandbox/sample': 'contract',
  'sandbox/http': 'node',
  'sandbox/state': 'contract node sandbox/sample',
  'sandbox/storage': 'node',
  'sandbox/faults': 'node sandbox/sample sandbox/http',
  'sandbox/routes': 'contract node sandbox/sample sandbox/state sandbox/storage sandbox/http sandbox/faults',
  sandbox: 'contract node',
  'main/async': 'contract node',
  'main/data': base,
  'main/net': `${base} main/data`,
  'main/matching': 'contract',
  'main/*': service,
  'main/uploads/source': `${base} main/data`,
  'main/uploads/storage': `${base} main/net main/uploads/source`,
  'main/uploads/ledger': `${base} main/data main/uploads/source`,
  'main/uploads/find': `${base} main/data main/uploads/source main/uploads/ledger`,
  'main/uploads/receipts': `${base} main/data main/uploads/source main/uploads/ledger words`,
  'main/uploads/transfer': `${base} main/net main/uploads/source main/uploads/storage main/uploads/ledger`,
  'main/uploads/watching': `${base} main/data main/uploads/source main/uploads/engine`,
  'main/uploads/engine': `${service} main/uploads/source main/uploads/storage main/uploads/ledger main/uploads/receipts main/uploads/transfer`,
  'main/core/host.ts': 'contract main/auth main/net main/settings main/updates',
  'main/core/log': core,
  'main/core/state': core,
  'main/core/connection': `${composed} main/core/log main/core/state`,
  'main/core/*': `${composed} main/core/log main/core/connection`,
  'main/core/handlers': `${composed} main/core/log main/core/state main/core/connection main/core/doctor main/core/drafts main/core/receipts`,
  'main/core': composed,
  'main/hosts/shared': `${composed} main/core`,
  'main/hosts/headless/support': host,
  'main/hosts/headless/commands': `${host} main/hosts/headless/support`,
  'main/hosts/electron': `${host} main/hosts/headless electron`,
  'main/hosts/*': host,
  'renderer/words': 'contract words react',
  'renderer/ui': 'contract renderer/words react react-dom @fluentui',
  'renderer/state': 'contract words renderer/ui renderer/words react zustand',
  'renderer/queries': 'contract renderer/ui renderer/words renderer/state react @tanstack',
  'renderer/domain/*': `${page} renderer/domain/.`,
  'renderer/domain': page,
  'renderer/features/*': `${page} renderer/domain react-dom`,
  'renderer/shell': `${page} renderer/domain renderer/features react-dom @tanstack`,
  renderer: `${page} renderer/shell react-dom @tanstack`,
};
