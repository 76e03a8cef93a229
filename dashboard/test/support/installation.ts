import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, type Service, startService } from './service.ts';

/** A copy of the program with a separate data folder and port, which can be restarted and upgraded while browsers are open. */
export interface Installation {
  url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Replaces the dashboard with a build whose assets have other names. */
  replaceAssets(): Promise<void>;
  /** Removes an asset by the beginning of its name. */
  removeAsset(prefix: string): Promise<void>;
  uninstall(): Promise<void>;
}

export async function install(): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'promptharbor-installed-'));
  for (const name of ['bin', 'dist', 'assets', 'openapi.json', 'package.json']) {
    await cp(join(root, name), join(folder, name), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const dashboard = join(folder, 'dist/dashboard');
  const dataDir = join(folder, 'data');
  let service: Service | undefined = await startService({ from: folder, dataDir });
  const { url } = service;

  const stop = async () => {
    await service?.stop();
    service = undefined;
  };
  return {
    url,
    stop,
    async start() {
      service = await startService({ from: folder, dataDir, port: new URL(url).port });
    },
    replaceAssets: () => renameAssets(dashboard),
    async removeAsset(prefix) {
      const names = (await readdir(join(dashboard, 'assets'))).filter((name) => name.startsWith(prefix));
      for (const name of names) await rm(join(dashboard, 'assets', name));
    },
    async uninstall() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Simulates a new build: renames all scripts and changes the references to them. */
async function renameAssets(dashboard: string): Promise<void> {
  const assets = join(dashboard, 'assets');
  const names = await readdir(assets);
  const scripts = names.filter((name) => name.endsWith('.js'));
  const rename = (text: string) => scripts.reduce((result, name) => result.replaceAll(name, name.replace(/\.js$/, 'n.js')), text);
  const page = join(dashboard, 'index.html');
  await writeFile(page, rename(await readFile(page, 'utf8')));
  for (const name of scripts) await writeFile(join(assets, rename(name)), rename(await readFile(join(assets, name), 'utf8')));
  const compressed = names.filter((name) => /\.js\.(?:br|gz)$/.test(name));
  for (const name of [...scripts, ...compressed]) await rm(join(assets, name));
}
