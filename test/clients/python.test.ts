import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { PromptHarbor } from '../../client/src/index.ts';
import { generatePythonTypes } from '../../src/cli/prompts/python-types.ts';
import { chooseVersion as chooseOnService } from '../../src/domain/releases/release-choice.ts';
import { isCampaign } from '../support/campaign.ts';
import { newClient } from '../support/prompts.ts';
import { askPython, findPython, noPython, runPython } from '../support/python.ts';
import { createRandom, type Random } from '../support/random.ts';
import { label, matching, name, unreachable, variables } from '../support/released-prompt.ts';
import { type Service, startService } from '../support/service.ts';

const python = findPython();
const keyCount = Number(process.env.PYTHON_KEYS ?? (isCampaign ? 100_000 : 10_000));
const { PYTHON_EVENTS = isCampaign ? '1000000' : '100000' } = process.env;
const { PYTHON_RENDERS = isCampaign ? '20000' : '500', PYTHON_THREADS = isCampaign ? '1000' : '50' } = process.env;

describe('the Python client', { skip: python === undefined && noPython }, () => {
  const command = python ?? '';
  let service: Service;
  let folder: string;
  let ph: PromptHarbor;
  let token: string;

  before(async () => {
    service = await startService();
    folder = await mkdtemp(join(tmpdir(), 'promptharbor-python-'));
    ({ token } = await newClient(service));
    ph = new PromptHarbor({ baseUrl: service.url, apiKey: token, retries: 30 });
    await ph.prompts.create({ name: 'shared/tone', template: 'politely', labels: ['staging'] });
    await ph.prompts.create({ name, template: "One {{ customer }}{% render 'shared/tone', label: 'staging' %}" });
    await ph.versions.create(name, { template: 'Two {{ customer | upcase }}' });
    const rules = [{ if: { plan: ['internal'], seats: ['5'] }, version: 2 }];
    await ph.releases.start(name, { label, control: 1, arms: [{ version: 2, weight: 3000 }], rules });
  });
  after(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  it('passes its own tests against this service', async () => {
    const { status, stderr } = await runPython(command, ['-W', 'ignore', '-m', 'unittest', 'discover', '-t', '.', '-s', 'tests'], {
      env: {
        ...{ PROMPTHARBOR_TEST_URL: service.url, PROMPTHARBOR_TEST_PROGRAM: join(root, 'bin/promptharbor.js') },
        ...{ PYTHON_EVENTS, PYTHON_RENDERS, PYTHON_THREADS },
      },
    });
    assert.equal(status, 0, stderr);
  });

  it(`decides for ${keyCount} keys as the service does`, async (t) => {
    const { data } = await ph.prompts.list({ include: 'content', label, folder: 'support' });
    const { version: labeled, release } = data[0] ?? assert.fail();
    assert.ok(release);
    const random = createRandom();
    t.diagnostic(`seed ${random.seed}`);
    const contexts = [{}, matching, { plan: 'internal', seats: 5.5 }, { plan: 'free', seats: 1e21, beta: true }];
    const callers = Array.from({ length: keyCount }, () => ({ key: randomKey(random), context: random.pick(contexts) }));
    const expected = callers.map((caller) => {
      const { version, release: assigned } = chooseOnService(release, caller);
      return [version, assigned];
    });
    assert.deepEqual(await askPython(command, 'choose', { labeled, release, callers }), expected);
  });

  it('starts from a file of the TypeScript client, and the other way around', async () => {
    const file = join(folder, 'typescript.json');
    const loaded = await ph.prompts.load({ fallbackFile: file });
    const keys = ['user-1', 'user-2', 'user-7'];
    const versions = keys.map((key) => loaded.get(name, { key }).version);
    await loaded.close();
    await replaceAddress(file, service.url, unreachable);
    for (const [index, key] of keys.entries()) {
      const result = await askPython(command, 'start_from_file', { url: unreachable, file, key, variables });
      const text = versions[index] === 2 ? 'Two ADA' : 'One Adapolitely';
      assert.deepEqual(result, { source: 'file', texts: [text], versions: [versions[index]] });
    }

    const written = join(folder, 'python.json');
    assert.deepEqual(await askPython(command, 'write_file', { url: service.url, file: written, key: token }), [name]);
    await replaceAddress(written, service.url, unreachable);
    const offline = new PromptHarbor({ baseUrl: unreachable, apiKey: token, retries: 0 });
    const prompts = await offline.prompts.load({ fallbackFile: written });
    assert.equal(prompts.state.source, 'file');
    for (const [index, key] of keys.entries()) {
      const prompt = prompts.get(name, { key });
      assert.equal(prompt.version, versions[index]);
      assert.equal(prompt.renderSync(variables).text, versions[index] === 2 ? 'Two ADA' : 'One Adapolitely');
    }
    await prompts.close();
  });

  it('installs from its wheel, which is always the same, and has the version of the service', async () => {
    const hasBuilder = await runPython(command, ['-c', 'import tomllib']);
    if (hasBuilder.status !== 0) return;
    const [one, two] = [join(folder, 'one'), join(folder, 'two')];
    for (const target of [one, two]) {
      const { status, stderr } = await runPython(command, [join(root, 'scripts/python-package.py'), target]);
      assert.equal(status, 0, stderr);
    }
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    const wheel = `promptharbor-${version}-py3-none-any.whl`;
    for (const file of [wheel, `promptharbor-${version}.tar.gz`]) {
      assert.ok((await readFile(join(one, file))).equals(await readFile(join(two, file))), file);
    }
    // A wheel can be imported as it is. Its record has the hash of every other file.
    const source = [
      'import base64, hashlib, sys, zipfile',
      'archive = zipfile.ZipFile(sys.argv[1])',
      'record = next(name for name in archive.namelist() if name.endswith("/RECORD"))',
      'rows = [row.split(",") for row in archive.read(record).decode().splitlines()]',
      'for name, digest, size in rows:',
      '    if name == record: continue',
      '    content = archive.read(name)',
      '    expected = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()',
      '    assert (digest, size) == (f"sha256={expected}", str(len(content))), name',
      'assert sorted(name for name, *_ in rows) == sorted(archive.namelist())',
      'sys.path.insert(0, sys.argv[1])',
      'import promptharbor, promptharbor.types',
      'print(promptharbor.__version__, promptharbor.__file__.startswith(sys.argv[1]), "promptharbor/py.typed" in archive.namelist())',
    ].join('\n');
    const { stdout, stderr } = await runPython(command, ['-c', source, join(one, wheel)], { cwd: folder, env: { PYTHONPATH: '' } });
    assert.deepEqual([stdout, stderr], [`${version} True True\n`, '']);
  });

  it('imports the types that promptharbor types --python writes, whatever the prompts are named', async () => {
    const hostile = ['support/triage', 'typed/prompts', 'literal', '1', '日本', 'a\u202eb', "'''", '"""\n', 'x\\'];
    const fields = ['customer', 'from', '__private', 'a b', '"', '\\', '\u2028', 'Text'];
    const text = generatePythonTypes(
      hostile.map((each, index) => ({
        name: each,
        type: 'text',
        variables: [
          ...fields.slice(0, index).map((field) => ({ name: field, required: index % 2 === 0 })),
          { name: 'tone', required: true, type: 'enum', values: ['"', '\\', "'", '\n', '\u{E0001}'] },
          { name: 'items', required: true, kind: 'list', items: { kind: 'object', fields: [{ name: 'class', required: true }] } },
        ],
      })),
    );
    await writeFile(join(folder, 'prompt_types.py'), text);
    await writeFile(join(folder, 'empty_types.py'), generatePythonTypes([]));
    const source = [
      'import json, typing, prompt_types, empty_types',
      'names = sorted(vars(prompt_types))',
      'print(json.dumps([prompt_types.typed(1), len([n for n in names if n.endswith("Variables") or n.startswith("Variables")])]))',
    ].join('\n');
    const { stdout, stderr } = await runPython(command, ['-W', 'error', '-c', source], {
      cwd: folder,
      env: { PYTHONPATH: `${folder}:${clientFolder}` },
    });
    assert.deepEqual([stdout, stderr], [`[1, ${hostile.length}]\n`, '']);
  });
});

const root = join(import.meta.dirname, '../..');
const clientFolder = join(root, 'clients/python/src');

/** Replaces the address in a file, because a client reads only files of its own address. */
async function replaceAddress(file: string, from: string, to: string): Promise<void> {
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll(from, to));
}

/** Returns a key of any kind: ids, text of any language, emoji, halves of surrogate pairs, and long ones. */
function randomKey(random: Random): string {
  const part = (low: number, high: number) => String.fromCharCode(low + random.below(high - low));
  const kinds = [
    () => `user-${random.below(1_000_000)}`,
    () => part(0x20, 0x7f),
    () => part(0xa0, 0xd800),
    () => random.pick(['😀', '👨‍👩‍👧', 'é', '\u0000', 'İ', '\ufeff', ' ']),
    () => part(0xd800, 0xe000),
    () => part(0x4e00, 0x9fff).repeat(random.pick([1, 40, 200])),
  ];
  return Array.from({ length: 1 + random.below(4) }, () => random.pick(kinds)()).join('');
}
