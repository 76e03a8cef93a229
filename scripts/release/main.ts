/**
 * Builds a release into dist/release: the executable, the npm packages, the Python package, the image, the chart, the list of packages, and
 * the checksums. Two builds of one commit on one machine are identical. With `--node <path> --platform <name>`, adds only the executable
 * for that platform.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { sha256 } from './archive.ts';
import { createBillOfMaterials } from './bill-of-materials.ts';
import { packChart } from './chart.ts';
import { buildExecutable } from './executable.ts';
import { createImage } from './image.ts';
import { packClient, packService } from './packages.ts';

const { values } = parseArgs({ options: { node: { type: 'string' }, platform: { type: 'string' } } });
if ((values.node === undefined) !== (values.platform === undefined)) throw new Error('Use --node and --platform together.');

const release = resolve('dist/release');
const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
const platform = values.platform ?? `${process.platform}-${process.arch}`;
const executable = join(release, `promptharbor-${version}-${platform}${platform.startsWith('win32') ? '.exe' : ''}`);
const work = await mkdtemp(join(tmpdir(), 'promptharbor-dist-'));
try {
  if (values.node === undefined) await rm(release, { recursive: true, force: true });
  await mkdir(release, { recursive: true });
  // An earlier build may be of another commit.
  for (const args of [['scripts/build.ts'], ['node_modules/vite/bin/vite.js', 'build', 'dashboard', '--logLevel', 'warn']]) {
    execFileSync(process.execPath, args, { stdio: 'inherit' });
  }
  await step('executable', () =>
    buildExecutable({ work: join(work, 'executable'), output: executable, node: values.node ?? process.execPath }),
  );
  if (values.node === undefined) await buildOthers();
  await writeChecksums();
} finally {
  await rm(work, { recursive: true, force: true });
}

async function buildOthers(): Promise<void> {
  await step('packages', async () => {
    await packService({ work: join(work, 'service'), output: release });
    await packClient({ work: join(work, 'client'), output: release });
    execFileSync(process.platform === 'win32' ? 'python' : 'python3', ['scripts/python-package.py', release], { stdio: 'inherit' });
  });
  if (process.platform === 'linux') {
    await step('image', async () => {
      const { commit } = JSON.parse(await readFile('dist/build.json', 'utf8')) as { commit: string };
      await writeFile(join(release, `promptharbor-${version}-${platform}.image.tar`), createImage({ executable, version, commit }));
    });
  }
  await step('chart', async () => writeFile(join(release, `promptharbor-chart-${version}.tgz`), await packChart(version)));
  await step('bill of materials', async () => writeFile(join(release, `promptharbor-${version}.cdx.json`), createBillOfMaterials()));
}

async function step(name: string, work: () => Promise<void>): Promise<void> {
  process.stderr.write(`Building the ${name} ...\n`);
  await work();
}

/** Writes the checksums of all files, in the format of `sha256sum --check`. */
async function writeChecksums(): Promise<void> {
  const names = (await readdir(release)).filter((name) => name !== 'SHA256SUMS').sort();
  const lines = await Promise.all(names.map(async (name) => `${sha256(await readFile(join(release, name)))}  ${name}\n`));
  await writeFile(join(release, 'SHA256SUMS'), lines.join(''));
}
