/** Packs the chart, and renders the plain manifests in deploy/kubernetes. With --check, only compares the manifests. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { compress, createTar } from './archive.ts';
import { renderTemplate, type Values } from './render-chart.ts';

const folder = 'deploy/helm';
/** The manifests that are committed, with the values that differ from the chart's defaults. */
const manifests: Record<string, Values> = {
  'deploy/kubernetes/sqlite.yaml': {},
  'deploy/kubernetes/postgres.yaml': { database: 'postgres' },
};

/** Returns the chart as an archive that `helm install` accepts. */
export async function packChart(version: string): Promise<Buffer> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const entries = files.map(async ({ parentPath, name }) => {
    const file = join(parentPath, name);
    const text = await readFile(file, 'utf8');
    return {
      path: `promptharbor/${file.slice(folder.length + 1).replaceAll('\\', '/')}`,
      content: name === 'Chart.yaml' ? setVersion(text, version) : text,
    };
  });
  return compress(createTar(await Promise.all(entries)));
}

/** Renders all manifests of the chart, in the order of their files. */
export async function renderChart(values: Values): Promise<string> {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  const defaults = parse(await readFile(join(folder, 'values.yaml'), 'utf8')) as Values;
  const data = { Values: merge(defaults, values), Release: { Name: 'promptharbor' }, Chart: { AppVersion: version } };
  const names = (await readdir(join(folder, 'templates'))).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, 'templates', name), 'utf8')));
  const rendered = texts.map((text) => renderTemplate(text, data).trim());
  return `${rendered.filter((text) => text !== '').join('\n---\n')}\n`;
}

function setVersion(text: string, version: string): string {
  return text.replace(/^version: .*$/m, `version: ${version}`).replace(/^appVersion: .*$/m, `appVersion: "${version}"`);
}

/** Replaces values, inside maps too. */
function merge(defaults: Values, values: Values): Values {
  const entries = Object.entries(values).map(([name, value]) => {
    const known = defaults[name];
    if (known === undefined) throw new Error(`The chart has no value ${name}`);
    const isMap = typeof value === 'object' && Object.keys(known as object).length > 0;
    return [name, isMap ? merge(known as Values, value as Values) : value];
  });
  return { ...defaults, ...Object.fromEntries(entries) };
}

if (import.meta.main) {
  for (const [file, values] of Object.entries(manifests)) {
    const text = await renderChart(values);
    if (!process.argv.includes('--check')) await writeFile(file, text);
    else if ((await readFile(file, 'utf8')) !== text) {
      process.stderr.write(`${file} is out of date. Run: node scripts/release/chart.ts\n`);
      process.exitCode = 1;
    }
  }
}
