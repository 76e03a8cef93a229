import { execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { awaitService, type Served } from './serve.ts';

/** An unpacked image, with the settings with which a container runtime starts it. */
export interface Image {
  root: string;
  config: { User: string; Env: string[]; Entrypoint: string[]; Cmd: string[]; WorkingDir: string };
}

interface Descriptor {
  digest: string;
}

/** Unpacks the archive as a container runtime would. */
export function unpackImage(archive: string, folder: string): Image {
  const [layout, root] = [join(folder, 'layout'), join(folder, 'root')];
  mkdirSync(layout, { recursive: true });
  mkdirSync(root);
  const unpack = (file: string, target: string) => execFileSync('tar', ['--no-same-owner', '-xf', file, '-C', target]);
  const blob = ({ digest }: Descriptor) => join(layout, 'blobs', digest.replace(':', '/'));
  // The specification of OCI images describes these files.
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as unknown;
  unpack(archive, layout);
  const { manifests } = read(join(layout, 'index.json')) as { manifests: [Descriptor] };
  const { config, layers } = read(blob(manifests[0])) as { config: Descriptor; layers: Descriptor[] };
  for (const layer of layers) unpack(blob(layer), root);
  return { root, config: (read(blob(config)) as { config: Image['config'] }).config };
}

/** Creates a volume that belongs to the user of the image. */
export function createVolume(folder: string, { config }: Image): string {
  mkdirSync(folder, { mode: 0o700 });
  const [uid = 0, gid = 0] = config.User.split(':').map(Number);
  if (process.getuid?.() === 0) chownSync(folder, uid, gid);
  return folder;
}

/** Serves as a container runtime would: as an unprivileged user, on a read-only root, with one volume. */
export async function serveImage(image: Image, volume: string, env: Record<string, string>): Promise<Served> {
  const args = [...describeSandbox(image, volume, env), '--info-fd', '3', ...image.config.Entrypoint, ...image.config.Cmd];
  const child = spawn('bwrap', args, { ...userOf(image), stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const [, , , info] = child.stdio;
  const told = info && once(info, 'data');
  return awaitService(child, async () => {
    const [text] = (await told) ?? ['{}'];
    return (JSON.parse(String(text)) as { 'child-pid'?: number })['child-pid'];
  });
}

/** Runs a command in the image, as `docker exec` does. */
export function runInImage(image: Image, volume: string, env: Record<string, string>, ...command: string[]): string {
  const args = [...describeSandbox(image, volume, env), ...image.config.Entrypoint, ...command];
  return execFileSync('bwrap', args, { ...userOf(image), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function describeSandbox({ root, config }: Image, volume: string, env: Record<string, string>): string[] {
  const [uid = '', gid = ''] = config.User.split(':');
  const settings = [...config.Env.map((line) => line.split(/=(.*)/s)), ...Object.entries(env)];
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--as-pid-1', '--die-with-parent'],
    ...['--uid', uid, '--gid', gid, '--cap-drop', 'ALL', '--clearenv'],
    ...settings.flatMap(([name = '', value = '']) => ['--setenv', name, value]),
    ...['--ro-bind', root, '/', '--bind', volume, '/data', '--tmpfs', '/tmp', '--proc', '/proc', '--dev', '/dev'],
    ...['--chdir', config.WorkingDir],
  ];
}

/** Root becomes the image's user. Any other user stays the same outside the image, and appears as the image's user inside it. */
function userOf({ config }: Image): Pick<SpawnOptions, 'uid' | 'gid'> {
  const [uid = 0, gid = 0] = config.User.split(':').map(Number);
  return process.getuid?.() === 0 ? { uid, gid } : {};
}
