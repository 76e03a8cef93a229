import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateTypes, type TypedVersion } from '../../client/src/generate-types.ts';

const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const injection =
  "text'; variables: {} } }\n}\ndeclare const injected: 1;\ndeclare module '@promptharbor/client' { interface Prompts { x: { y: '";
const hostile = [
  injection,
  `'${injection}`,
  `\\'${injection}`,
  `"; ${injection}`,
  '*/ injected /*',
  `$\{injected}\``,
  '\u2028declare const injected: 1;\u2029',
  '\r\ninjected',
  '\u0085\u009b31m\u202e\u2066\u007f',
  '\ud800',
  '__proto__',
  '// injected',
  '</script>',
];

it('types: whatever a service sends, only the prompts are declared, with their exact names', async () => {
  const versions = hostile.map((text, index) => {
    const variable = {
      name: text,
      kind: 'object' as const,
      required: true,
      fields: [{ name: text, kind: 'text' as const, required: false }],
    };
    // The generator must handle any response, even one that does not match its type.
    return { name: `${index}${text}`, type: text, variables: [variable], messages: [] } as unknown as TypedVersion;
  });
  const odd = { name: ["a'\n"], type: { a: 1 }, variables: [{ name: ['b; c'], kind: '"', required: true }] } as unknown as TypedVersion;
  const text = generateTypes([...versions, odd]);
  assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u, 'nothing invisible');
  assert.equal(text.split('\n').length, generateTypes([]).split('\n').length + versions.length + 2, 'a line for each prompt');
  assert.deepEqual(
    stripTypeScriptTypes(text)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('//')),
    ["import '@promptharbor/client';"],
    'no code',
  );
  const folder = mkdtempSync(join(tmpdir(), 'promptharbor-types-'));
  try {
    const check = versions.map(({ name, type, variables: [variable] }) => {
      const [key, field] = [JSON.stringify(name), JSON.stringify(variable?.name)];
      return [
        `const a: Same<Prompts[${key}]['type'], ${JSON.stringify(type)}> = true;`,
        `const b: Same<keyof Prompts[${key}]['variables'], ${field}> = true;`,
        `const c: Same<keyof Prompts[${key}]['variables'][${field}], ${field}> = true;`,
      ].join('\n');
    });
    const names = [...versions.map(({ name }) => name), String(odd.name)].map((name) => JSON.stringify(name));
    writeFileSync(join(folder, 'client.d.ts'), 'export interface Prompts {}\n');
    writeFileSync(join(folder, 'prompts.d.ts'), text);
    writeFileSync(
      join(folder, 'check.ts'),
      [
        "import type { Prompts } from '@promptharbor/client';",
        'type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;',
        `const all: Same<keyof Prompts, ${names.join(' | ')}> = true;`,
        ...check.map((lines) => `{\n${lines}\n}`),
        '// @ts-expect-error: nothing else is declared.',
        'injected;',
      ].join('\n'),
    );
    const compilerOptions = {
      strict: true,
      noEmit: true,
      types: [],
      module: 'preserve',
      paths: { '@promptharbor/client': ['./client.d.ts'] },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['prompts.d.ts', 'check.ts'] }));
    await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch((err: { stdout: string }) => assert.fail(err.stdout));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
