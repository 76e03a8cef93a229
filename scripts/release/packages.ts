import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { externalPackages } from '../external-packages.ts';

interface PackageOptions {
  /** An empty folder for intermediate files. */
  work: string;
  /** The folder for the packages. */
  output: string;
}

interface PackageJson {
  dependencies?: Record<string, string>;
  files: string[];
  [field: string]: unknown;
}

/**
 * Packs the service. The dependencies of the package are only those that its bundles import, because the bundles contain all others. The
 * scripts in package.json work only in a clone, so the package has none.
 */
export async function packService({ work, output }: PackageOptions): Promise<void> {
  const { dependencies = {}, ...fields } = await readPackage('.');
  const needed = Object.fromEntries(Object.entries(dependencies).filter(([name]) => externalPackages.includes(name)));
  for (const name of ['bin', 'dist', 'openapi.json', 'CHANGELOG.md', 'README.md', 'LICENSE']) {
    await cp(name, join(work, name), { recursive: true, filter: (path) => !path.startsWith(join('dist', 'release')) });
  }
  await pack({ ...withoutDevelopment(fields), files: fields.files, dependencies: needed }, { work, output });
}

export async function packClient({ work, output }: PackageOptions): Promise<void> {
  execFileSync(process.execPath, ['scripts/build-client.ts'], { stdio: 'inherit' });
  for (const name of ['dist', 'README.md', 'LICENSE']) await cp(join('client', name), join(work, name), { recursive: true });
  await pack(withoutDevelopment(await readPackage('client')), { work, output });
}

async function readPackage(folder: string): Promise<PackageJson> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as PackageJson;
}

function withoutDevelopment(fields: Record<string, unknown>): Record<string, unknown> {
  const { scripts: _, devDependencies: __, workspaces: ___, allowScripts: ____, overrides: _____, ...published } = fields;
  return published;
}

/** Packs the folder. The archive depends only on the names and contents of the files, and on which of them are programs. */
export async function pack(fields: Record<string, unknown>, { work, output }: PackageOptions): Promise<void> {
  await mkdir(work, { recursive: true });
  await writeFile(join(work, 'package.json'), `${JSON.stringify(fields, undefined, 2)}\n`);
  await normalizeModes(work);
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', output], {
    cwd: work,
    stdio: ['ignore', 'ignore', 'inherit'],
    // On Windows npm is a batch file, which only a shell can run.
    shell: process.platform === 'win32',
  });
}

/** npm packs the modes of the files, which depend on the umask of whoever wrote them. */
async function normalizeModes(folder: string): Promise<void> {
  for (const { parentPath, name } of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(parentPath, name);
    const isProgram = ((await stat(path)).mode & 0o100) !== 0;
    await chmod(path, isProgram ? 0o755 : 0o644);
  }
}
