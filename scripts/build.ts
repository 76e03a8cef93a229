/**
 * Bundles the service into dist/ and renders its API reference. The dependencies are hundreds of small files, and finding and compiling
 * them one by one takes most of the startup time. Bundled into one file, they load in a quarter of that time. Types are checked by `npm run
 * check`.
 */
import { execFileSync } from 'node:child_process';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { rolldown } from 'rolldown';
import { compressFiles } from '../dashboard/build/compress-assets.ts';
import { children, threads } from '../src/platform/programs.ts';
import { buildDocs } from './docs/build.ts';
import { externalPackages } from './external-packages.ts';
import { readHttp } from './read-http.ts';

const bundle = await rolldown({
  input: {
    main: 'src/main.ts',
    ...children,
    ...threads,
  },
  platform: 'node',
  plugins: [readHttp()],
  external: externalPackages,
  onLog(level, log, handle) {
    // Circular imports inside dependencies are not reported.
    if (log.code !== 'CIRCULAR_DEPENDENCY' && log.code !== 'EVAL') handle(level, log);
  },
});
const { output } = await bundle.write({
  dir: 'dist',
  format: 'esm',
  sourcemap: true,
  chunkFileNames: '[name]-[hash].js',
  // The code that all commands share is in one file, and the code that the commands for prompts share is in another. With many small files,
  // finding them would take as long as running them.
  codeSplitting: {
    groups: [
      { name: 'base', test: /\/src\/(?:cli\/(?:(?:prompt-|operator-)?commands?|errors|usage)|errors|root|version)\.ts$/, priority: 2 },
      {
        name: 'prompts',
        test: /\/client\/src\/(?!render\/complete\.ts)|\/src\/cli\/(?:connection|credentials|terminal|progress-bar)\.ts$|\/src\/cli\/(?:prompts\/(?!lint|diff|types|init|login|render)|files\/(?!prompt-file))/,
        priority: 1,
      },
    ],
  },
});
await bundle.close();

// The names of chunks change with their content. The chunks of earlier builds are removed last, so that a failed build removes nothing.
const written = new Set(output.map(({ fileName }) => fileName));
for (const name of await readdir('dist')) {
  if (/\.js(\.map)?$/.test(name) && !written.has(name)) await rm(`dist/${name}`);
}

await buildDocs();
compressFiles('dist/docs');
await writeFile('dist/build.json', `${JSON.stringify({ commit: readCommit() })}\n`);

/** Returns the current commit, which is unknown outside a clone, for example in the build of an image. */
function readCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return process.env.COMMIT || 'unknown';
  }
}
