import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { print } from '../lib/report.ts';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
/** The commit to use while there is no tag yet. */
const commitsBack = 50;

/** Builds another commit in a temporary folder. */
export interface EarlierBuild {
  /** The commit, and the tag by which it was found, if any. */
  name: string;
  program: string;
  remove(): Promise<void>;
}

export async function buildEarlier(from: string | undefined): Promise<EarlierBuild> {
  const reference = from ?? (await findEarlier());
  const { stdout } = await git('rev-parse', '--short', `${reference}^{commit}`);
  const commit = stdout.trim();
  const name = reference.includes(commit) || reference.includes('~') ? commit : `${reference} (${commit})`;
  const folder = await mkdtemp(join(tmpdir(), 'promptharbor-earlier-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    print(`Building ${name} …`);
    await extract(commit, folder);
    await installPackages(folder);
    await execute('npm', ['run', '--silent', 'build'], { cwd: folder });
  } catch (err) {
    await remove();
    throw err;
  }
  return { name, program: join(folder, 'bin/promptharbor.js'), remove };
}

/** Returns the latest tag. */
async function findEarlier(): Promise<string> {
  const { stdout } = await git('describe', '--tags', '--abbrev=0').catch(() => ({ stdout: '' }));
  return stdout.trim() || `HEAD~${commitsBack}`;
}

async function extract(commit: string, folder: string): Promise<void> {
  const archive = join(folder, 'source.tar');
  await git('archive', '--format=tar', `--output=${archive}`, commit);
  await execute('tar', ['-xf', archive, '-C', folder]);
  await rm(archive);
}

/** Uses the packages of this clone if the other commit has the same dependencies. Otherwise, installs the packages of the other commit. */
async function installPackages(folder: string): Promise<void> {
  const [own, other] = await Promise.all([root, folder].map((each) => readFile(join(each, 'package-lock.json'), 'utf8')));
  if (own === other) await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  else {
    print('Installing its packages …');
    await mkdir(join(folder, 'node_modules'), { recursive: true });
    await execute('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
  }
}

function git(...args: string[]) {
  return execute('git', args, { cwd: root });
}
