import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { compress, createTar, type Entry, sha256 } from './archive.ts';

export interface ImageOptions {
  executable: string;
  version: string;
  commit: string;
}

const architectures: Partial<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
/** The id of the user that runs the service. This user has no name on the host, and no shell in the image. */
const user = 65_532;

/**
 * Returns an archive with an OCI image: the executable, the system libraries that it needs, and nothing else. The archive also has the
 * description that `docker load` reads.
 */
export function createImage({ executable, version, commit }: ImageOptions): Buffer {
  const layers = [createTar(systemFiles(executable)), createTar(programFiles(executable))].map((content) => ({
    diffId: `sha256:${sha256(content)}`,
    ...toBlob(compress(content), 'application/vnd.oci.image.layer.v1.tar+gzip'),
  }));
  const labels = {
    'org.opencontainers.image.title': 'PromptHarbor',
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.revision': commit,
    'org.opencontainers.image.licenses': 'MIT',
  };
  const config = toBlob(
    toJson({
      created: '1970-01-01T00:00:00Z',
      architecture: architectures[process.arch] ?? process.arch,
      os: 'linux',
      config: {
        User: `${user}:${user}`,
        ExposedPorts: { '3000/tcp': {} },
        Env: ['PATH=/usr/bin', 'HOST=0.0.0.0', 'PORT=3000', 'DATA_DIR=/data', 'PROMPTHARBOR_FORM=image'],
        Entrypoint: ['/usr/bin/promptharbor'],
        Cmd: ['serve'],
        Volumes: { '/data': {} },
        WorkingDir: '/',
        StopSignal: 'SIGTERM',
        Labels: labels,
        // Docker reads this field, which is not part of OCI's specification. Times are in nanoseconds.
        Healthcheck: { Test: ['CMD', '/usr/bin/promptharbor', 'health'], Interval: 10e9, Timeout: 5e9, StartPeriod: 20e9 },
      },
      rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
      history: layers.map(() => ({ created: '1970-01-01T00:00:00Z', created_by: 'npm run dist' })),
    }),
    'application/vnd.oci.image.config.v1+json',
  );
  const manifest = toBlob(
    toJson({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: config.descriptor,
      layers: layers.map(({ descriptor }) => descriptor),
      annotations: labels,
    }),
    'application/vnd.oci.image.manifest.v1+json',
  );
  const annotations = {
    'io.containerd.image.name': `docker.io/library/promptharbor:${version}`,
    'org.opencontainers.image.ref.name': version,
  };
  const index = { schemaVersion: 2, manifests: [{ ...manifest.descriptor, annotations }] };
  const forDocker = [{ Config: config.path, RepoTags: [`promptharbor:${version}`], Layers: layers.map(({ path }) => path) }];
  return createTar([
    { path: 'oci-layout', content: toJson({ imageLayoutVersion: '1.0.0' }) },
    { path: 'index.json', content: toJson(index) },
    { path: 'manifest.json', content: toJson(forDocker) },
    ...[...layers, config, manifest].map(({ path, content }) => ({ path, content })),
  ]);
}

function toBlob(content: Buffer, mediaType: string) {
  const digest = sha256(content);
  return { path: `blobs/sha256/${digest}`, content, descriptor: { mediaType, digest: `sha256:${digest}`, size: content.length } };
}

function toJson(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function programFiles(executable: string): Entry[] {
  return withFolders([{ path: 'usr/bin/promptharbor', content: readFileSync(executable), mode: 0o755 }]);
}

/** Returns this machine's libraries that the executable needs, at the paths where the executable finds them, with their licenses. */
function systemFiles(executable: string): Entry[] {
  const lines = execFileSync('ldd', [executable], { encoding: 'utf8' }).split('\n');
  const libraries = lines.flatMap((line) => /(\/\S+) \(0x/.exec(line)?.[1] ?? []);
  const packages = new Set(libraries.flatMap(findDebianPackage));
  const licenses = [...packages].map((name) => `/usr/share/doc/${name}/copyright`).filter((file) => existsSync(file));
  return withFolders([
    ...libraries.map((file) => ({ path: file.slice(1), content: readFileSync(realpathSync(file)), mode: 0o755 })),
    ...licenses.map((file) => ({ path: file.slice(1), content: readFileSync(file) })),
    { path: 'etc/passwd', content: `root:x:0:0:root:/root:/nonexistent\npromptharbor:x:${user}:${user}::/data:/nonexistent\n` },
    { path: 'etc/group', content: `root:x:0:\npromptharbor:x:${user}:\n` },
    { path: 'tmp', mode: 0o1777 },
    { path: 'data', mode: 0o700, owner: user },
    // Container runtimes mount these folders, and cannot create them on a read-only root file system.
    ...['dev', 'proc', 'sys'].map((path) => ({ path })),
  ]);
}

/** Debian's package list still has some libraries at their path from before /lib became a link. */
function findDebianPackage(file: string): string[] {
  const { stdout } = spawnSync('dpkg', ['-S', file, realpathSync(file)], { encoding: 'utf8' });
  return [/^[^:]+/.exec(stdout ?? '')?.[0] ?? []].flat();
}

/** Adds the folders of all entries. */
function withFolders(entries: Entry[]): Entry[] {
  const paths = new Set(entries.map(({ path }) => path));
  const folders = new Set<string>();
  for (const { path } of entries) for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder);
  return [...entries, ...[...folders].filter((path) => !paths.has(path)).map((path) => ({ path }))];
}
