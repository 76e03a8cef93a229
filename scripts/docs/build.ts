import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { rolldown } from 'rolldown';
import { docsAssetUrl, originPlaceholder } from '../../src/http/routes/docs.ts';
import type { OpenApiDocument } from './document.ts';
import { listAttachments, loadGuides, renderGuide } from './guides.ts';
import { renderPage } from './page.ts';
import { createSearchIndex } from './search-index.ts';

const folder = 'dist/docs';
const fonts = 'node_modules/@fontsource-variable/inter/files';

/** Renders the API reference and the guides into dist/docs, from which they are served. */
export async function buildDocs(): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  // scripts/openapi.ts generates the file and `npm run check` verifies it, so its type is known.
  const document = JSON.parse(await readFile('openapi.json', 'utf8')) as OpenApiDocument;
  const guides = loadGuides();
  const latin = await write('inter-latin.woff2', await readFile(`${fonts}/inter-latin-wght-normal.woff2`));
  const latinExt = await write('inter-latin-ext.woff2', await readFile(`${fonts}/inter-latin-ext-wght-normal.woff2`));
  const css = await readFile('assets/docs.css', 'utf8');
  const assets = {
    styleUrl: await write('style.css', css.replace('inter-latin.woff2', latin).replace('inter-latin-ext.woff2', latinExt)),
    themeUrl: await write('theme.js', await readFile('dashboard/src/theme-boot.js', 'utf8')),
    scriptUrl: await write('script.js', await bundleScript()),
    searchUrl: await write('search.json', JSON.stringify(createSearchIndex(document, guides))),
  };
  await write('icon.svg', await readFile('assets/icon.svg'));
  for (const [name, file] of listAttachments()) await cp(file, `${folder}/${name}`);
  for (const guide of guides) await write(`${guide.url.slice('/docs/'.length)}.html`, renderGuide(guide, guides, document.info, assets));
  // This page is written last, because the service looks for this file.
  await write('reference.html', renderPage(document, originPlaceholder, assets));
}

async function write(name: string, content: string | Buffer): Promise<string> {
  const file = `${folder}/${name}`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  return docsAssetUrl(name, content);
}

async function bundleScript(): Promise<string> {
  const bundle = await rolldown({ input: 'dashboard/src/docs/main.ts', platform: 'browser' });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  return output[0].code;
}
