import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findFastFolder } from '../../../test/support/fast-folder.ts';
import { quickStart, withCheapHashes } from '../../../test/support/process.ts';

export const root = join(import.meta.dirname, '../../..');

export interface Service {
  url: string;
  /** The output of the process so far. */
  output(): string;
  stop(): Promise<void>;
}

interface ServiceOptions {
  /** The folder in which the program is installed. */
  from?: string;
  port?: string;
  /** The data folder, which is kept when the service stops. By default, a new folder is used and deleted. */
  dataDir?: string;
  /** Further settings. */
  env?: NodeJS.ProcessEnv;
}

/** Starts the service as an operator does: as a separate process with its own SQLite file and port. */
export async function startService({ from = root, port = '0', dataDir, env = {} }: ServiceOptions = {}): Promise<Service> {
  const folder = dataDir ?? (await mkdtemp(join(findFastFolder(), 'promptharbor-browser-')));
  const child = spawn(process.execPath, [...quickStart, join(from, 'bin/promptharbor.js'), 'serve'], {
    env: {
      ...process.env,
      ...{ PORT: port, HOST: '127.0.0.1', DATA_DIR: folder, DATABASE_URL: '', PUBLIC_URL: '', LOG_LEVEL: 'info' },
      ...withCheapHashes,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let written = '';
  const keep = (text: string) => {
    written += text;
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  const url = await readUrl(child, () => written);
  return {
    url,
    output: () => written,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

function readUrl(child: ChildProcess, output: () => string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const read = () => {
    const match = /ready at (http:\S+)/.exec(output());
    if (!match?.[1]) return;
    // Searching the log again after each request would take seconds by the end of a run.
    child.stderr?.off('data', read);
    resolve(match[1]);
  };
  child.stderr?.on('data', read);
  child.once('exit', (code) => reject(new Error(`The service stopped with ${code}: ${output()}`)));
  return promise;
}
