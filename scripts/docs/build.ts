import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { rolldown } from 'rolldown';
import { docsAssetUrl, originPlaceholder } from '../../src/http/routes/docs.ts';
import type { OpenApiDocument } from './document.ts';
import { renderPage } from './page.ts';

const folder = 'dist/docs';
const fonts = 'node_modules/@fontsource-variable/inter/files';

/** Renders the API reference into dist/docs.html, and what it loads into dist/docs. */
export async function buildDocs(): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const latin = await write('inter-latin.woff2', await readFile(`${fonts}/inter-latin-wght-normal.woff2`));
  const latinExt = await write('inter-latin-ext.woff2', await readFile(`${fonts}/inter-latin-ext-wght-normal.woff2`));
  const css = await readFile('assets/docs.css', 'utf8');
  const styleUrl = await write('style.css', css.replace('inter-latin.woff2', latin).replace('inter-latin-ext.woff2', latinExt));
  const themeUrl = await write('theme.js', await readFile('dashboard/src/theme-boot.js', 'utf8'));
  const scriptUrl = await write('script.js', await bundleScript());

  // scripts/openapi.ts generates the file and `npm run check` verifies it, so its type is known.
  const description = JSON.parse(await readFile('openapi.json', 'utf8')) as OpenApiDocument;
  await writeFile('dist/docs.html', renderPage(description, { origin: originPlaceholder, styleUrl, themeUrl, scriptUrl }));
}

async function write(name: string, content: string | Buffer): Promise<string> {
  await writeFile(`${folder}/${name}`, content);
  return docsAssetUrl(name, content);
}

async function bundleScript(): Promise<string> {
  const bundle = await rolldown({ input: 'dashboard/src/docs/main.ts', platform: 'browser' });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  return output[0].code;
}
