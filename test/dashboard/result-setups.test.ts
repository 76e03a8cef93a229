import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { runInNewContext, Script } from 'node:vm';
import { pythonLiteral, scriptLiteral } from '../../dashboard/src/connect/literals.ts';
import { type ExamplePrompt, observeExample, resultSetups } from '../../dashboard/src/connect/result-setups.ts';

const target = { origin: 'https://prompts.example.com', key: `ph_${'0'.repeat(64)}`, userId: 'u_1' };
const variables = { customer: 'Ada', 'its name': "it's", list: [1, true, null, { __proto__x: 'a"b' }] };
const hostileNames = ['support/triage', "it's", '$(touch x) `y` $z', 'ünï {{ name }} %s', "a'b'c"];

const promptOf = (name: string, fields: Partial<ExamplePrompt> = {}): ExamplePrompt => ({
  ...{ name, type: 'text', label: 'production', version: 7, variables },
  ...fields,
});

const blocksOf = (name: string, fields: Partial<ExamplePrompt> = {}) =>
  resultSetups.flatMap(({ id, blocks }) =>
    blocks({ ...target, prompt: promptOf(name, fields) }).map((block) => ({
      id,
      isProgram: block.title.startsWith('Your program'),
      ...block,
    })),
  );

/** Returns the values of the strings in a program. */
const stringsOf = (code: string) => [...code.matchAll(/'(?:[^'\\]|\\.)*'/g)].map(([literal]) => runInNewContext(literal));

describe('Settings › Connect › Send results', () => {
  for (const name of hostileNames) {
    it(`has programs without syntax errors that contain the name of the prompt: ${name}`, () => {
      const programs = blocksOf(name).filter(({ isProgram, id }) => isProgram && !id.endsWith('-python'));
      assert.equal(programs.length, 5);
      for (const code of [...programs.map((program) => program.code), observeExample(promptOf(name))]) {
        // The constructor throws for a syntax error. A script cannot have imports, so they are removed.
        new Script(`async () => {\n${code.replaceAll(/^import .*$/gm, '')}\n}`);
        assert.ok(stringsOf(code).includes(name), code);
      }
    });

    it(`has a request that a shell passes on unchanged: ${name}`, { skip: process.platform === 'win32' }, () => {
      const code = blocksOf(name).find(({ title }) => title === 'Request')?.code ?? '';
      // The shell calls this function instead of the program `curl`.
      const output = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${code}`], { encoding: 'utf8' });
      const [url, ...args] = output.split('\0').slice(0, -1);
      assert.equal(url, `${target.origin}/api/results`);
      assert.deepEqual(args.slice(0, -1), ['-H', `Authorization: Bearer ${target.key}`, '-H', 'Content-Type: application/json', '-d']);
      assert.equal(JSON.parse(args.at(-1) ?? '').calls[0].prompt, name);
      assert.equal(JSON.parse(args.at(-1) ?? '').calls[0].version, 7);
    });
  }

  it('reads the prompt with its label and its type', () => {
    for (const { id, code, isProgram } of blocksOf('support/triage', { type: 'chat', label: 'staging' })) {
      if (!isProgram || id === 'opentelemetry') continue;
      assert.match(code, id.endsWith('-python') ? /label="staging"/ : /label: 'staging'/, id);
      if (id.startsWith('langfuse')) assert.match(code, /messages(=|: )prompt\.compile\(/, id);
    }
  });

  it('writes the values of variables as literals', () => {
    for (const value of [variables, 'line\nbreak \\ "double" \'single\' $x', JSON.parse('{"__proto__": 1}'), {}, [], 1.5, null, false]) {
      assert.equal(JSON.stringify(runInNewContext(`(${scriptLiteral(value)})`)), JSON.stringify(value));
    }
    assert.equal(pythonLiteral(variables), '{"customer": "Ada", "its name": "it\'s", "list": [1, True, None, {"__proto__x": "a\\"b"}]}');
  });

  it('changes only where traces are sent', () => {
    const settings = blocksOf('support/triage').find(({ id, title }) => id === 'opentelemetry' && title === 'Environment')?.code ?? '';
    for (const line of settings.split('\n')) assert.match(line, /^export OTEL_EXPORTER_OTLP_TRACES_/);
  });

  it('has settings that a shell exports, and never asks an SDK to turn tracing off', { skip: process.platform === 'win32' }, () => {
    const settings = blocksOf('support/triage').filter(({ title }) => title === 'Environment');
    assert.equal(settings.length, 7);
    for (const { id, code } of settings) {
      const variables = execFileSync('sh', ['-c', `${code}\nenv`], { encoding: 'utf8', env: { PATH: process.env.PATH } });
      assert.match(variables, new RegExp(`=${target.origin}(/v1/traces)?$`, 'm'), id);
      assert.match(variables, new RegExp(`=(Authorization=Bearer%20)?${target.key}$`, 'm'), id);
      assert.doesNotMatch(variables, /TRACING_ENABLED/);
    }
  });
});
