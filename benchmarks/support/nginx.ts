/**
 * The storage of the measurements: nginx with DAV PUT on 127.0.0.1, in a separate process with its own configuration.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { portOf } from '../../src/main/net/urls.ts';
import { findProgram } from './programs.ts';

export type Storage = {
  /** `http://127.0.0.1:PORT`; objects are below `/storage/`. */
  readonly baseUrl: string;
  /** The number of stored files, and their total size. */
  readonly stored: () => { readonly files: number; readonly bytes: number };
  /**
   * Empties the storage. The stored files are emptied and moved away, but not removed: whenever it creates a file, an
   * ext4 file system without a journal steps over all files that were removed within the last minute (ialloc.c,
   * `recently_deleted`), which made nginx ten times slower.
   */
  readonly empty: () => void;
  readonly close: () => Promise<void>;
};

export const startNginx = async (dir: string): Promise<Storage> => {
  const root = join(dir, 'storage');
  for (const folder of [root, join(dir, 'incoming')]) mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const config = join(dir, 'nginx.conf');
  writeFileSync(config, configuration(dir, port));
  const program = findProgram('nginx');
  const child = spawn(program, ['-p', dir, '-e', join(dir, 'error.log'), '-c', config], { stdio: 'inherit' });
  const end = (): boolean => child.kill('SIGTERM');
  process.once('exit', end);
  await answers(port, child);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    stored: () => {
      let files = 0;
      let bytes = 0;
      for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        files += 1;
        bytes += statSync(join(entry.parentPath, entry.name)).size;
      }
      return { files, bytes };
    },
    empty: () => {
      for (const entry of readdirSync(root, { recursive: true, withFileTypes: true }))
        if (entry.isFile()) truncateSync(join(entry.parentPath, entry.name));
      renameSync(root, join(mkdtempSync(join(dir, 'former-')), 'storage'));
      mkdirSync(root);
    },
    close: async () => {
      process.off('exit', end);
      const ended = once(child, 'exit');
      end();
      await ended;
    },
  };
};

const configuration = (dir: string, port: number): string => `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${join(dir, 'nginx.pid')};
events { worker_connections 512; }
http {
  access_log off;
  keepalive_requests 1000000;
  client_max_body_size 0;
  client_body_temp_path ${join(dir, 'incoming')};
  proxy_temp_path ${join(dir, 'unused')};
  fastcgi_temp_path ${join(dir, 'unused')};
  uwsgi_temp_path ${join(dir, 'unused')};
  scgi_temp_path ${join(dir, 'unused')};
  server {
    listen 127.0.0.1:${port};
    location /storage/ {
      root ${dir};
      dav_methods PUT;
      create_full_put_path on;
    }
  }
}
`;

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  return port;
};

/** Waits until something listens on the port. */
const answers = async (port: number, child: ChildProcess): Promise<void> => {
  while (child.exitCode === null) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch {
      await setTimeout(20);
    } finally {
      socket.destroy();
    }
  }
  throw new Error('nginx did not start');
};
