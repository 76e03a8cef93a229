/** Builds client/dist: the client as ESM and CommonJS, each with its declarations. Code that is shared with the service is bundled. */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const client = join(root, 'client');
const dist = join(client, 'dist');
const entries = ['index', 'liquid', 'testing', 'openai', 'ai-sdk', 'langchain'];
const formats = { esm: 'module', cjs: 'commonjs' } as const;

/** Replaces the modules of Node that LiquidJS uses, so that the package runs on every platform. */
const withoutNode = join(client, 'src/render/without-node.ts');
const replaceNode: Plugin = {
  name: 'without-node',
  resolveId: (source, importer) => (importer?.includes('/liquidjs/') && isBuiltin(source) ? withoutNode : undefined),
  transform: (code, id) => (id.includes('/liquidjs/') ? `import { Buffer } from ${JSON.stringify(withoutNode)};\n${code}` : undefined),
};

await rm(dist, { recursive: true, force: true });
const declarations = await mkdtemp(join(tmpdir(), 'promptharbor-client-'));
execFileSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(client, 'tsconfig.build.json'), '--outDir', declarations],
  {
    stdio: 'inherit',
  },
);
for (const [format, type] of Object.entries(formats)) {
  const folder = join(dist, format);
  await bundle(format === 'esm' ? 'esm' : 'cjs', folder);
  for (const entry of entries) await copyDeclarations(join(declarations, 'client/src'), `${entry}.d.ts`, folder);
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ type, sideEffects: false })}\n`);
}
await rm(declarations, { recursive: true });
await cp(join(root, 'LICENSE'), join(client, 'LICENSE'));
await cp(join(root, 'node_modules/liquidjs/LICENSE'), join(dist, 'LICENSE-liquidjs'));

async function bundle(format: 'esm' | 'cjs', dir: string): Promise<void> {
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, join(client, `src/${entry}.ts`)])),
    platform: 'neutral',
    external: ['ai'],
    // The service uses the same file, so both render the same texts.
    resolve: { alias: { liquidjs: join(root, 'node_modules/liquidjs/dist/liquid.node.mjs') } },
    plugins: [replaceNode],
    treeshake: { moduleSideEffects: (id) => id.endsWith('/domain/templates/liquid.ts') },
  });
  await bundle.write({ dir, format, chunkFileNames: 'chunks/[name].js' });
  await bundle.close();
}

/**
 * Copies a declaration and everything it refers to, except declarations of the service, whose types would need packages that users do not
 * have.
 */
async function copyDeclarations(from: string, file: string, to: string, seen = new Set<string>()): Promise<void> {
  if (seen.has(file)) return;
  seen.add(file);
  if (file.startsWith('..')) throw new Error(`The declarations of the client refer to ${file}`);
  const text = await readFile(join(from, file), 'utf8');
  const reference = /(from |import\()(["'])(\.[^"']+)\.ts\2/g;
  await mkdir(dirname(join(to, file)), { recursive: true });
  await writeFile(join(to, file), text.replaceAll(reference, '$1$2$3.js$2'));
  for (const [, , , path = ''] of text.matchAll(reference)) {
    await copyDeclarations(from, `${relative(from, join(from, dirname(file), path))}.d.ts`, to, seen);
  }
}
