import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { version as clientVersion } from '../../../client/src/version.ts';
import { version } from '../../../src/version.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

describe('the version of a release', () => {
  it('is the same in every package and in the chart', () => {
    const client = JSON.parse(read('client/package.json')) as { version: string };
    const openapi = JSON.parse(read('openapi.json')) as { info: { version: string } };
    const chart = parse(read('deploy/helm/Chart.yaml')) as { version: string; appVersion: string };
    const python = /^VERSION = "(.+)"$/m.exec(read('clients/python/src/promptharbor/_version.py'))?.[1];
    const all = [client.version, openapi.info.version, clientVersion, chart.version, chart.appVersion, python];
    assert.deepEqual(new Set(all), new Set([version]));
  });

  it('is the one in the commands that the guides show', () => {
    const guides = readdirSync(new URL('../../../docs/', import.meta.url)).filter((name) => name.endsWith('.md'));
    const files = [...guides.map((name) => `docs/${name}`), 'README.md', 'client/README.md', 'clients/python/README.md'];
    for (const file of files) {
      for (const [text, shown] of read(file).matchAll(/promptharbor(?:-client|-chart)?[-:](\d+\.\d+\.\d+)/g)) {
        assert.equal(shown, version, `${file}: ${text}`);
      }
    }
  });
});
