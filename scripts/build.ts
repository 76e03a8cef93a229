/**
 * Bundles the service into dist/ and renders its API reference. The dependencies are hundreds of small files, and finding and
 * compiling those one by one takes most of a start; in one file they take a quarter of it. Types are checked by `npm run check`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { rolldown } from 'rolldown';
import { originPlaceholder, styleUrlOf } from '../src/http/routes/docs.ts';
import type { OpenApiDocument } from './docs/document.ts';
import { renderPage } from './docs/page.ts';

const bundle = await rolldown({
  input: { main: 'src/main.ts', child: 'src/domain/templates/child.ts' },
  platform: 'node',
  // Left in node_modules: what looks for files of its own, and what is loaded only when it is needed.
  external: ['pg', 'pino', 'nodemailer', '@zxcvbn-ts/language-common'],
  onLog(level, log, handle) {
    // Dependencies that import each other in a circle are their own business.
    if (log.code !== 'CIRCULAR_DEPENDENCY' && log.code !== 'EVAL') handle(level, log);
  },
});
await bundle.write({ dir: 'dist', format: 'esm', sourcemap: true, chunkFileNames: '[name]-[hash].js' });
await bundle.close();

// scripts/openapi.ts generates the file and `npm run check` verifies it, so its type is known.
const description = JSON.parse(await readFile('openapi.json', 'utf8')) as OpenApiDocument;
const styleUrl = styleUrlOf(await readFile('assets/docs.css', 'utf8'));
await writeFile('dist/docs.html', renderPage(description, { origin: originPlaceholder, styleUrl }));
