import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { rolldown } from 'rolldown';
import { generateTypes, type TypedVersion } from '../../client/src/generate-types.ts';
import { PromptHarbor } from '../../client/src/index.ts';
import { newClient } from '../support/prompts.ts';
import { type Service, startService } from '../support/service.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const bin = (name: string) => join(root, 'node_modules/.bin', name);
// The pinned Node comes first in the PATH, as it does in npm scripts.
const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };

const sdkFolders = ['openai', 'ai', '@ai-sdk', '@langchain'];

/** Filters for which LiquidJS uses modules of Node. */
const hashTemplate =
  '{{ text | sha256 }} {{ text | hmac_sha256: "key" }} {{ text | base64_encode }} {{ text | base64_encode | base64_decode }}';

const browserProgram = `
import { PromptHarbor } from '@promptharbor/client';
async function main() {
  const prompts = await new PromptHarbor(settings).prompts.load();
  await prompts.close();
  return [prompts.get('loop').renderSync({ list: ['a', 'b'] }).text, prompts.get('hash').renderSync({ text: '\u00e4' }).text];
}
export const result = main();
`;

const program = (imports: string) => `
${imports}
async function main() {
  const prompts = await new PromptHarbor().prompts.load({ fallbackFile: 'state.json' });
  const plain = await prompts.get('reply').render({ customer: { name: 'Ada' } });
  const loop = prompts.get('loop').renderSync({ list: ['a', 'b'] });
  const hash = prompts.get('hash').renderSync({ text: '\u00e4' });
  const withEngine = await new PromptHarbor({ templates: liquid }).prompts.load();
  const same = await withEngine.get('loop').render({ list: ['a', 'b'] });
  const missing = await prompts.get('reply').render({}).catch((err) => [err instanceof RenderError, err.code, err.message]);
  const fake = fakePrompts({ a: 'Hi {{ name | upcase }}' }).get('a').renderSync({ name: 'Ada' });
  while (prompts.state.status !== 'live') await new Promise((resolve) => setTimeout(resolve, 10));
  const converted = [toOpenAI(plain).messages, toLangChain(plain).messages];
  console.log(JSON.stringify([plain.text, loop.text, hash.text, same.text, missing, fake.text, ...converted]));
  // The program calls neither close nor exit, because the open stream must not keep the process running.
}
main();
`;
const names = {
  '@promptharbor/client': 'PromptHarbor, RenderError',
  '@promptharbor/client/liquid': 'liquid',
  '@promptharbor/client/testing': 'fakePrompts',
  '@promptharbor/client/openai': 'toOpenAI',
  '@promptharbor/client/langchain': 'toLangChain',
};
const programs = {
  'esm.mjs': program(
    Object.entries(names)
      .map(([path, name]) => `import { ${name} } from '${path}';`)
      .join('\n'),
  ),
  'cjs.cjs': program(
    Object.entries(names)
      .map(([path, name]) => `const { ${name} } = require('${path}');`)
      .join('\n'),
  ),
};

describe('the package @promptharbor/client', () => {
  let service: Service;
  let project: string;
  let tarball: string;
  let key: string;
  let hash: string;

  before(async () => {
    service = await startService();
    const client = await newClient(service);
    key = client.token;
    await client.create({ name: 'reply', template: 'Hello {{ customer.name }}' });
    await client.create({ name: 'loop', template: '{% for x in list %}{{ x | upcase }}{% endfor %}' });
    await client.create({ name: 'hash', template: hashTemplate });
    hash = ((await client.render('hash', { variables: { text: 'ä' } })).body as { text: string }).text;
    project = mkdtempSync(join(tmpdir(), 'promptharbor-project-'));
    await run('npm', ['pack', '--silent', '--pack-destination', project], { cwd: join(root, 'client'), env });
    tarball = join(project, readdirSync(project).find((name) => name.endsWith('.tgz')) ?? '');
    writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}');
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', tarball], { cwd: project, env });
  });
  after(async () => {
    await service.close();
    rmSync(project, { recursive: true, force: true });
  });

  it('has no dependencies, and contains only built files', () => {
    assert.deepEqual(
      readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.')),
      ['@promptharbor'],
    );
    const installed = join(project, 'node_modules/@promptharbor/client');
    assert.deepEqual(readdirSync(installed).sort(), ['LICENSE', 'README.md', 'dist', 'package.json']);
    assert.match(readFileSync(join(installed, 'dist/LICENSE-liquidjs'), 'utf8'), /Permission is hereby granted/);
  });

  it('loads the template engine only for prompts that need it', async () => {
    const folder = 'node_modules/@promptharbor/client/dist/cjs';
    const program = `
      const { PromptHarbor } = require('@promptharbor/client');
      const isLoaded = () => Object.keys(require.cache).some((file) => file.endsWith('complete.js'));
      async function main() {
        const prompts = await new PromptHarbor().prompts.load({ folder: process.argv[2] });
        await prompts.close();
        console.log(isLoaded());
      }
      main();
    `;
    assert.ok(existsSync(join(project, folder, 'chunks/complete.js')));
    writeFileSync(join(project, 'lazy.cjs'), program);
    const client = new PromptHarbor({ baseUrl: service.url, apiKey: key });
    await client.prompts.create({ name: 'plain/a', template: 'Hello {{ name }}' });
    await client.prompts.create({ name: 'liquid/a', template: 'Hello {{ name | upcase }}' });
    for (const [name, isLoaded] of [
      ['plain', 'false\n'],
      ['liquid', 'true\n'],
    ] as const) {
      const settings = { ...env, PROMPTHARBOR_URL: service.url, PROMPTHARBOR_API_KEY: key };
      assert.equal((await run(process.execPath, ['lazy.cjs', name], { cwd: project, env: settings })).stdout, isLoaded, name);
    }
  });

  it('can be bundled for platforms without Node, with the template engine in a file of its own', async () => {
    writeFileSync(join(project, 'browser.mjs'), browserProgram);
    // Without `tsconfig: false`, the bundler would also find a tsconfig.json in any parent folder on this machine.
    const bundle = await rolldown({ input: join(project, 'browser.mjs'), platform: 'browser', tsconfig: false });
    const { output } = await bundle.generate({ format: 'esm' });
    const files = output.flatMap((file) => (file.type === 'chunk' ? [file] : []));
    const entry = files.find(({ isEntry }) => isEntry);
    assert.ok(entry && !entry.code.includes('tablerow'), 'a word of the template engine');
    assert.ok(files.some(({ isEntry, code }) => !isEntry && code.includes('tablerow')));
    assert.ok(files.every(({ imports }) => imports.every((path) => files.some(({ fileName }) => fileName === path))));

    // This global object has the APIs of browsers and workers, and nothing of Node.
    const { fetch, crypto, URL, AbortController, AbortSignal, Headers, TextEncoder, TextDecoder, URLSearchParams } = globalThis;
    const { atob, btoa, structuredClone } = globalThis;
    const web = {
      fetch,
      crypto,
      URL,
      URLSearchParams,
      AbortController,
      AbortSignal,
      Headers,
      TextEncoder,
      TextDecoder,
      atob,
      btoa,
      structuredClone,
    };
    const timers = { setTimeout, clearTimeout, setInterval, clearInterval };
    const context = createContext({ ...web, ...timers, settings: { baseUrl: service.url, apiKey: key } });
    const single = await bundle.generate({ format: 'iife', name: 'program', codeSplitting: false });
    await bundle.close();
    runInContext(single.output[0].code, context);
    const { result } = context.program as { result: Promise<string[]> };
    assert.deepEqual([...(await result)], ['AB', hash]);
  });

  it('follows the recommendations of publint and attw', async () => {
    await run(bin('publint'), [tarball, '--strict'], { cwd: project, env });
    await run(bin('attw'), [tarball, '--profile', 'node16', '--no-color'], { cwd: project, env });
  });

  const nodes = { [`Node ${process.versions.node}`]: process.execPath, ...findOtherNode() };
  for (const [name, node] of Object.entries(nodes)) {
    for (const [file, text] of Object.entries(programs)) {
      it(`runs ${file} on ${name}, and lets the process end`, {
        skip: node === undefined && 'this machine has no older Node',
      }, async () => {
        writeFileSync(join(project, file), text);
        const { stdout } = await run(node ?? '', [file], {
          cwd: project,
          env: { ...env, PROMPTHARBOR_URL: service.url, PROMPTHARBOR_API_KEY: key },
        });
        const missing = [true, 'missing_variables', 'Variables are missing: customer'];
        const messages = [{ role: 'user', content: 'Hello Ada' }];
        assert.deepEqual(JSON.parse(stdout), ['Hello Ada', 'AB', hash, 'AB', missing, 'Hi ADA', messages, messages]);
      });
    }
  }

  it('knows the names and variables of prompts once their types are written, and accepts any prompt before that', async () => {
    const folder = join(project, 'types');
    mkdirSync(folder);
    link('@types', ...sdkFolders);
    for (const extension of ['mts', 'cts']) {
      writeFileSync(join(folder, `untyped.${extension}`), untyped);
      writeFileSync(join(folder, `prompts.d.${extension}`), generateTypes(versions));
      writeFileSync(join(folder, `typed.${extension}`), typed);
      writeFileSync(join(folder, `untyped-sdks.${extension}`), untypedSdks);
      writeFileSync(join(folder, `typed-sdks.${extension}`), typedSdks);
    }
    await check({ files: ['untyped.mts', 'untyped.cts'], lib: ['es2022'], types: ['node'] });
    const files = ['prompts.d.mts', 'typed.mts', 'prompts.d.cts', 'typed.cts'];
    await check({ files, lib: ['es2022', 'dom'], types: [] });
    // The declarations of the SDKs do not compile with exact optional properties, but the programs that use them do.
    const withSdks = { lib: ['es2023', 'dom'], types: ['node'], skipLibCheck: true };
    await check({ files: ['untyped-sdks.mts', 'untyped-sdks.cts'], ...withSdks });
    const typedFiles = ['prompts.d.mts', 'typed-sdks.mts', 'prompts.d.cts', 'typed-sdks.cts'];
    await check({ files: typedFiles, ...withSdks });
    await check({ files: typedFiles, ...withSdks, exactOptionalPropertyTypes: false });

    async function check({
      files,
      ...options
    }: {
      files: string[];
      lib: string[];
      types: string[];
      [option: string]: unknown;
    }): Promise<void> {
      const compilerOptions = {
        module: 'nodenext',
        target: 'es2022',
        strict: true,
        noEmit: true,
        exactOptionalPropertyTypes: true,
        ...options,
      };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
      await run(bin('tsc'), ['-p', folder], { cwd: folder, env }).catch(({ stdout }: { stdout: string }) => assert.fail(stdout));
    }
  });

  it('runs the helper for the AI SDK as CommonJS too', async () => {
    link(...sdkFolders);
    writeFileSync(
      join(project, 'ai-sdk.cjs'),
      `console.log(JSON.stringify(require('@promptharbor/client/ai-sdk').toAISDK({ text: 'Hi', config: { stop: 'a' } })));`,
    );
    const { stdout } = await run(process.execPath, ['ai-sdk.cjs'], { cwd: project, env });
    assert.deepEqual(JSON.parse(stdout), { messages: [{ role: 'user', content: 'Hi' }], stopSequences: ['a'] });
  });

  it('runs its examples on the data of the demo: OpenAI, Vercel AI, LangChain, a web server, a test with a fake', async (t) => {
    await run(process.execPath, [join(root, 'scripts/demo.ts'), service.url], { env });
    const demo = await new PromptHarbor({ baseUrl: service.url }).auth.login({
      email: 'demo@example.com',
      password: 'demo harbor password',
    });
    const model = await startModel(t);
    cpSync(join(root, 'client/examples'), project, { recursive: true });
    link(...sdkFolders);
    const settings = {
      ...env,
      PROMPTHARBOR_URL: service.url,
      PROMPTHARBOR_API_KEY: demo.token,
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'none',
      PORT: '0',
    };
    const runExample = (...args: string[]) => run(process.execPath, args, { cwd: project, env: settings });
    const openai = await runExample('openai.ts', 'Where is it?');
    assert.equal(openai.stdout, 'You said: Where is it?\n');
    const [agent] = model.requests;
    assert.equal(agent?.model, 'large-model');
    assert.match(agent?.messages[0]?.content ?? '', /^You help owners of coffee machines\. Write in a friendly, plain tone\./);
    assert.deepEqual(
      agent?.messages.map(({ role }) => role),
      ['system', 'user', 'assistant', 'user'],
    );
    const vercel = await runExample('vercel-ai.ts', 'Where is it?');
    assert.match(
      vercel.stdout,
      /^You said: Write in a calm, plain tone.*Answer Ada:\n\nWhere is it\?\n\nTheir last orders:\n- Grinder G2, 2 May\n/s,
    );
    const langChain = await runExample('langchain.ts', 'Where is it?');
    assert.equal(langChain.stdout, 'You said: Where is it?\n');
    const [, reply, sameAgent] = model.requests;
    assert.deepEqual([reply?.model, reply?.temperature], ['large-model', 0.3]);
    assert.deepEqual([sameAgent?.model, sameAgent?.temperature], [agent?.model, agent?.temperature]);
    assert.equal(agent?.tools?.[0]?.function.name, 'find_order');
    assert.deepEqual(sameAgent?.tools, agent?.tools);
    await runExample('--test', 'triage.test.ts');

    // The examples of README.md use the loaded prompts.
    const [, section = ''] = /^## Calling a model\n(.*?)^## /ms.exec(readFileSync(join(root, 'client/README.md'), 'utf8')) ?? [];
    const blocks = [...section.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
    assert.equal(blocks.length, 3);
    const before = model.requests.length;
    // The first example renders the prompt that the others use.
    const [rendered = ''] = /^const rendered = .*$/m.exec(blocks[0] ?? '') ?? [];
    for (const block of blocks) {
      const program = block.replace('https://api.openai.com/v1', model.url);
      writeFileSync(join(project, 'readme.mts'), `${readmeSetup}${block.includes(rendered) ? '' : rendered}\n${program}`);
      await runExample('readme.mts');
    }
    assert.deepEqual(
      model.requests.slice(before).map(({ messages }) => messages.at(-1)),
      Array(3).fill({ role: 'user', content: 'Where is order 1042?' }),
    );

    const server = spawn(process.execPath, ['web-server.ts'], { cwd: project, env: settings, stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => server.kill());
    const [line] = await Promise.race([once(server.stdout.setEncoding('utf8'), 'data'), once(server, 'exit')]);
    const url = `http://127.0.0.1:${/port: (\d+)/.exec(String(line))?.[1]}`;
    const triage = (await (await fetch(`${url}/support/triage?request=It+leaks`)).json()) as { text: string };
    assert.match(triage.text, /^Classify this request as billing, .*It leaks$/s);
    assert.equal((await fetch(`${url}/support/triage`)).status, 422);
    assert.equal((await fetch(`${url}/missing`)).status, 404);
    for (const path of ['/%zz', '//']) assert.equal((await fetch(url + path)).status, 500, 'an invalid path does not end the server');
    assert.equal(((await (await fetch(`${url}/health`)).json()) as { source: string }).source, 'service');
    server.kill('SIGTERM');
    assert.deepEqual(await once(server, 'exit'), [0, null]);
  });

  /** Makes packages of this repository available to the project. */
  function link(...folders: string[]): void {
    for (const folder of folders) {
      const path = join(project, 'node_modules', folder);
      if (!existsSync(path)) symlinkSync(join(root, 'node_modules', folder), path, 'junction');
    }
  }

  it('writes the same types in whatever order versions come, with any name', () => {
    assert.equal(generateTypes(versions), generateTypes(versions.toReversed()));
    assert.match(generateTypes(versions), /'it\\'s \/ünï \$ `': \{ type: 'text'; variables: \{\} \};/);
    assert.match(generateTypes([]), /interface Prompts \{\}/);
  });
});

const versions: TypedVersion[] = [
  {
    name: 'support/reply',
    type: 'chat',
    messages: [{ role: 'system', content: '' }, { placeholder: 'history' }],
    variables: [
      {
        name: 'customer',
        required: true,
        kind: 'object',
        fields: [
          { name: 'name', required: true, kind: 'text' },
          { name: 'vip', required: false, kind: 'text' },
        ],
      },
      { name: 'orders', required: true, kind: 'list', items: { kind: 'object', fields: [{ name: 'id', required: true, kind: 'text' }] } },
      { name: 'tags', required: false, kind: 'list', items: { kind: 'text' } },
      { name: 'history', required: false, kind: 'list', items: {} },
      { name: 'anything', required: false },
    ],
  },
  {
    name: 'whole',
    type: 'chat',
    messages: [{ role: 'user', content: '{{ tone }}' }],
    variables: [
      { name: 'tone', required: false, type: 'enum', values: ['warm', "o'clock"], default: 'warm', kind: 'text' },
      { name: 'days', required: true, type: 'number', kind: 'text' },
      { name: 'vip', required: true, type: 'boolean' },
      { name: 'photo', required: true, type: 'image', kind: 'text' },
      { name: 'notes', required: true, type: 'list' },
      { name: 'order', required: true, type: 'object', kind: 'object', fields: [{ name: 'id', required: true, kind: 'text' }] },
    ],
    config: { model: 'm', temperature: 0.2, stop: ['a'], extra: null },
    tools: [
      { name: 'find-order', parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } },
      { name: 'stop' },
    ],
    output: {
      schema: {
        type: 'object',
        properties: {
          category: { enum: ['billing', 'other'] },
          tags: { type: 'array', items: { $ref: '#/$defs/tag' } },
          tree: { $ref: '#' },
          size: { type: ['integer', 'null'] },
          either: { anyOf: [{ type: 'string' }, { const: 1 }] },
          'any thing': true,
        },
        required: ['category', 'tags', 'size', 'either'],
        $defs: { tag: { allOf: [{ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }] } },
      },
    },
  },
  { name: 'photo', type: 'chat', messages: [{ role: 'user', content: [{ type: 'image', url: '{{ photo }}' }] }], variables: [] },
  { name: "it's /ünï $ `", type: 'text', variables: [] },
  { name: 'optional', type: 'text', variables: [{ name: 'tone', required: false, kind: 'text' }] },
];

const untyped = `
import { PromptHarbor } from '@promptharbor/client';
import { liquid } from '@promptharbor/client/liquid';
import { fakePrompts } from '@promptharbor/client/testing';
export async function main(): Promise<string | undefined> {
  const ph = new PromptHarbor({ templates: liquid });
  const prompts = await ph.prompts.load();
  const name: string = 'any';
  const { text, messages } = await prompts.get(name).render({ anything: 1 });
  const fallback = prompts.get(name, { fallback: [{ role: 'user', content: 'Hi' }] }).renderSync({ anything: 1 }).messages;
  await fakePrompts({}).get('x').render();
  for await (const prompt of ph.prompts.list()) prompt.latestVersion.toFixed();
  const content = messages?.[0]?.content;
  return text ?? (typeof content === 'string' ? content : content?.map((part) => part.type).join());
}
`;
const typed = `
import { PromptHarbor, type PromptOutput, type ToolArguments } from '@promptharbor/client';
export async function main(): Promise<string> {
  const prompts = await new PromptHarbor().prompts.load();
  const reply = prompts.get('support/reply');
  const orders = [{ id: 1 }] as const;
  const { messages } = await reply.render({ customer: { name: 'Ada', vip: true }, orders, tags: ['a'], history: [{ role: 'user', content: 'Hi' }], anything: {} });
  const { text } = await prompts.get('optional').render();
  const sync: string = prompts.get('optional', { fallback: 'Hi' }).renderSync().text + prompts.get('optional').renderSync({ tone: 'kind' }).text;
  prompts.get('support/reply', { fallback: { messages: [{ placeholder: 'history' }], config: {} } }).renderSync({ customer: { name: 'Ada' }, orders });
  // @ts-expect-error: the fallback of a chat prompt has messages
  prompts.get('support/reply', { fallback: 'Hi' });
  // @ts-expect-error: required variables are missing
  reply.renderSync();
  await prompts.get('optional').render({ tone: 'kind' });
  await prompts.find('by a name that is not known')?.render({ x: 1 });
  // @ts-expect-error: a name that does not exist
  prompts.get('support/repyl');
  // @ts-expect-error: required variables are missing
  await reply.render();
  // @ts-expect-error: a required variable is missing
  await reply.render({ customer: { name: 'Ada' } });
  // @ts-expect-error: a field is missing
  await reply.render({ customer: {}, orders });
  // @ts-expect-error: a variable that the prompt does not use
  await reply.render({ customer: { name: 'Ada' }, orders, custmer: 1 });
  // @ts-expect-error: a list of something else
  await reply.render({ customer: { name: 'Ada' }, orders: ['1'] });
  // @ts-expect-error: a typo in an optional variable
  await prompts.get('optional').render({ tnoe: 'kind' });
  const whole = prompts.get('whole');
  const given = { days: 2, vip: true, photo: 'https://a.example/b.png', notes: [1, {}], order: { id: 'x' } };
  const rendered = await whole.render({ ...given, tone: "o'clock" });
  const sum: number = rendered.config.temperature + whole.config.temperature;
  const observed: { id: string } = await whole.observe(async () => ({ id: rendered.attributes()['gen_ai.prompt.version'] }), { provider: 'openai' });
  // @ts-expect-error: an option that does not exist
  await whole.observe(() => observed, { modle: 'm' });
  const [stop]: string[] = rendered.config.stop;
  const content: string | undefined = rendered.messages[0]?.content;
  const called: 'find-order' | 'stop' | undefined = rendered.tools[0]?.name;
  const schema: Record<string, unknown> = rendered.output.schema;
  const output = JSON.parse('{}') as PromptOutput<'whole'>;
  const parsed: ['billing' | 'other', string[], number | null, string | 1] = [
    output.category, output.tags.map(({ name }) => name), output.size, output.either,
  ];
  const found: { id: string } = {} as ToolArguments<'whole', 'find-order'>;
  const image = (await prompts.get('photo').render()).messages[0]?.content;
  const kinds: string | undefined = typeof image === 'string' ? image : image?.map((part) => part.type).join();
  await reply.render({
    customer: { name: 'Ada' },
    orders,
    history: [
      { role: 'user', content: [{ type: 'image_url', image_url: { url: '' } }] },
      { role: 'assistant', content: null, tool_calls: [{ id: '1' }] },
      { role: 'tool', content: '', tool_call_id: '1' },
    ],
  });
  // @ts-expect-error: a value that the enum does not have
  await whole.render({ ...given, tone: 'cold' });
  // @ts-expect-error: a text in place of a number
  await whole.render({ ...given, days: '2' });
  // @ts-expect-error: a number in place of an image
  await whole.render({ ...given, photo: 1 });
  // @ts-expect-error: no list
  await whole.render({ ...given, notes: 'a' });
  // @ts-expect-error: a key that the config does not have
  rendered.config.topK;
  // @ts-expect-error: a chat prompt has no text
  (await reply.render({ customer: { name: 'Ada' }, orders })).text;
  return [text, messages[0]?.content, sum, stop, content, called, schema, parsed, found, kinds].join();
}
`;

/** Sends a rendered prompt with each SDK. */
const sendEach = `
  const { choices } = await openai.chat.completions.create({ model: 'fallback', ...toOpenAI(each) });
  const stream = await openai.chat.completions.create({ model: 'fallback', ...toOpenAI(each), stream: true });
  for await (const chunk of stream) chunk.choices[0]?.delta.content?.trim();
  choices[0]?.message.content?.trim();
  const { text } = await generateText({ model, ...toAISDK(each) });
  streamText({ model, ...toAISDK(each, { provider: 'models' }) }).textStream;
  const { messages, tools = [], settings, output } = toLangChain(each);
  const chat = new ChatOpenAI({ model: 'fallback', ...settings });
  const answer: string = (await chat.bindTools(tools).invoke(messages)).text + text;
  if (output) await chat.withStructuredOutput(output.schema, output).invoke(messages);
`;
const sdkImports = `
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { PromptHarbor } from '@promptharbor/client';
import { toAISDK } from '@promptharbor/client/ai-sdk';
import { toLangChain } from '@promptharbor/client/langchain';
import { toOpenAI } from '@promptharbor/client/openai';
import { generateText, streamText, tool } from 'ai';
import OpenAI from 'openai';
const ph = new PromptHarbor();
const openai = new OpenAI();
const model = createOpenAICompatible({ name: 'models', baseURL: '' })('x');
`;
const readmeSetup = `
import { PromptHarbor } from '@promptharbor/client';
const prompts = await new PromptHarbor().prompts.load();
`;
const untypedSdks = `${sdkImports}
export async function main() {
  const prompts = await ph.prompts.load();
  for (const each of [await prompts.get('any').render({ x: 1 }), await ph.prompts.render('any', {})]) {${sendEach}}
  const { tools = {}, ...settings } = toAISDK(prompts.get('any').renderSync());
  const found = tools.find_order;
  if (found) await generateText({ model, ...settings, tools: { find_order: tool({ ...found, execute: async (input) => input }) } });
}
`;
const typedSdks = `${sdkImports}
export async function main() {
  const prompts = await ph.prompts.load();
  const whole = await prompts.get('whole').render({ days: 2, vip: true, photo: '', notes: [], order: { id: 'x' } });
  const optional = await prompts.get('optional').render();
  const photo = await prompts.get('photo').render();
  const reply = prompts.get('support/reply').renderSync({ customer: { name: 'Ada' }, orders: [] });
  for (const each of [whole, optional, photo, reply]) {${sendEach}}
  // The config of this prompt names a model.
  await openai.chat.completions.create(toOpenAI(whole));
  // @ts-expect-error: the config of this prompt might not name a model
  await openai.chat.completions.create(toOpenAI(optional));
  const settings = toAISDK(whole);
  const { output } = await generateText({ model, ...settings });
  const category: 'billing' | 'other' = output.category;
  // @ts-expect-error: a field that the output does not have
  output.categry;
  const execute = async ({ id }: { id: string }) => id.toUpperCase();
  const found = tool({ ...settings.tools['find-order'], execute });
  const called = await generateText({ model, ...settings, tools: { ...settings.tools, 'find-order': found } });
  // @ts-expect-error: a tool that the prompt does not have
  settings.tools.other;
  // @ts-expect-error: arguments that the tool does not have
  tool({ ...settings.tools['find-order'], execute: async ({ number }) => number });
  const { output: described, tools } = toLangChain(whole);
  const schema: Record<string, unknown> = described.schema;
  return [category, called.toolCalls[0]?.toolName, schema, tools.map((each) => each.function.name)];
}
`;

async function startModel(t: TestContext) {
  type Body = {
    model: string;
    temperature?: number;
    tools?: { function: { name: string } }[];
    messages: { role: string; content: string }[];
  };
  const requests: Body[] = [];
  const server = createServer(async (req, res) => {
    const body = (await json(req)) as Body;
    const { model, messages } = body;
    requests.push(body);
    const message = { role: 'assistant', content: `You said: ${messages.at(-1)?.content}` };
    const completion = { id: '1', object: 'chat.completion', created: 1, model, choices: [{ index: 0, message, finish_reason: 'stop' }] };
    res.setHeader('content-type', 'application/json').end(JSON.stringify(completion));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests };
}

/** Finds the oldest Node on this machine other than the pinned one. */
function findOtherNode(): Record<string, string | undefined> {
  const paths = (process.env.PATH ?? '').split(delimiter).filter((path) => !path.includes('node_modules'));
  for (const path of paths) {
    const node = join(path, process.platform === 'win32' ? 'node.exe' : 'node');
    if (!existsSync(node)) continue;
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1);
    const major = Number.parseInt(version, 10);
    if (major >= 20 && major < Number.parseInt(process.versions.node, 10)) return { [`Node ${version}`]: node };
  }
  return { 'Node 20': undefined };
}
