/**
 * Bundles the service into dist/ and renders its API reference. The dependencies are hundreds of small files, and finding and compiling
 * them one by one takes most of the startup time. Bundled into one file, they load in a quarter of that time. Types are checked by `npm run
 * check`.
 */
import { readdir, rm } from 'node:fs/promises';
import { type Plugin, rolldown } from 'rolldown';
import { buildDocs } from './docs/build.ts';

const bundle = await rolldown({
  input: {
    main: 'src/main.ts',
    child: 'src/domain/templates/child.ts',
    'backup-child': 'src/store/engine/backup-child.ts',
    'database-thread': 'src/store/engine/threads/database-worker.ts',
    'outbound-worker': 'src/domain/outbound/outbound-worker.ts',
    'intake-worker': 'src/domain/results/intake/intake-worker.ts',
  },
  platform: 'node',
  plugins: [readHttp()],
  // These packages stay in node_modules, because they read files in their folders or are loaded only when needed.
  external: ['pg', 'pino', 'nodemailer', '@zxcvbn-ts/language-common'],
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
  // One file contains what every command needs, and another what every command for prompts needs, because finding a file takes as long as
  // running it.
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

/**
 * Reads the exports of `node:http` instead of importing them. An import evaluates all exports, and one of them, `WebSocket`, loads Node's
 * implementation of fetch. Loading it takes more CPU time than the start of an empty program.
 */
function readHttp(): Plugin {
  const id = '\0http';
  return {
    name: 'read-http',
    resolveId: (source, _importer, { kind }) => (source === 'node:http' && kind === 'import-statement' ? id : undefined),
    load: (loaded) =>
      loaded === id ? `export const { METHODS, STATUS_CODES, createServer, request } = process.getBuiltinModule('node:http');` : undefined,
  };
}
