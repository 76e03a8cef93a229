import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { listPackageFiles } from '../../src/package-files.ts';
import { children, threads } from '../../src/platform/programs.ts';
import { readHttp } from '../read-http.ts';

export interface ExecutableOptions {
  /** An empty folder for intermediate files. */
  work: string;
  output: string;
  /** The Node that becomes part of the executable. It may be for another platform, but must have the version of the running Node. */
  node: string;
  /** The file with the version. */
  packageJson?: string;
}

/** Builds the single executable: Node, the service, and all the package's files that the service reads. */
export async function buildExecutable({ work, output, node, packageJson = 'package.json' }: ExecutableOptions): Promise<void> {
  await mkdir(work, { recursive: true });
  await bundle({ start: 'src/executable/start.ts' }, work);
  const programs = join(work, 'programs');
  await bundle({ 'command-line': 'src/executable/command-line.ts', ...children }, programs);
  // A thread starts from the text of a single file, so its bundle shares no files with other programs.
  for (const [name, source] of Object.entries(threads)) await bundle({ [name]: source }, programs);

  const files = ['docs', 'dashboard'].flatMap((folder) => listPackageFiles(`dist/${folder}`).map((name) => `dist/${folder}/${name}`));
  const paths = ['openapi.json', 'dist/build.json', ...files.sort()].map((path) => [path, resolve(path)]);
  const code = (await readdir(programs)).sort().map((name) => [`programs/${name}`, join(programs, name)]);
  const config = {
    // Node writes this path into the executable, so it must not depend on the folder.
    main: 'start.js',
    executable: resolve(node),
    output,
    disableExperimentalSEAWarning: true,
    assets: Object.fromEntries([['package.json', resolve(packageJson)], ...paths, ...code]),
  };
  const configFile = join(work, 'executable.json');
  await writeFile(configFile, JSON.stringify(config));
  await rm(output, { force: true });
  execFileSync(process.execPath, ['--build-sea', configFile], { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Bundles programs as CommonJS, because Node can compile it without a file. */
async function bundle(input: Record<string, string>, dir: string): Promise<void> {
  const bundle = await rolldown({
    input,
    platform: 'node',
    plugins: [readHttp()],
    // The PostgreSQL driver tries this package, but does not need it.
    external: ['pg-native'],
    onLog(level, log, handle) {
      // Circular imports inside dependencies are not reported.
      if (log.code !== 'CIRCULAR_DEPENDENCY' && log.code !== 'EVAL') handle(level, log);
    },
  });
  await bundle.write({ dir, format: 'cjs', chunkFileNames: '[name]-[hash].js' });
  await bundle.close();
}
