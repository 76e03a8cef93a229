/**
 * Writes the generated modules of the Python client from openapi.json: the shapes, the operations, and a method for each operation. With
 * --check, fails if a committed file is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { WorkspaceEvent } from '../src/contract/events.ts';
import { writeApi, writeOperations } from './python-client/api.ts';
import type { OpenApi, Schema } from './python-client/openapi.ts';
import { writeTypes } from './python-client/types.ts';

const folder = new URL('../clients/python/src/promptharbor/', import.meta.url);
// openapi.json is written by scripts/openapi.ts.
const document = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')) as OpenApi;

const files = {
  // TypeBox schemas are JSON schemas, but have separate types.
  'types.py': writeTypes({ ...document.components.schemas, WorkspaceEvent: WorkspaceEvent as unknown as Schema }),
  '_api/operations.py': writeOperations(document),
  '_api/sync_resources.py': writeApi(document, 'sync'),
  '_api/async_resources.py': writeApi(document, 'async'),
};

for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, folder);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
  } else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`clients/python/src/promptharbor/${name} is stale. Run: npm run openapi\n`);
    process.exitCode = 1;
  }
}
