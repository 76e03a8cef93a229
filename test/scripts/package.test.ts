import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const root = new URL('../../', import.meta.url);
const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { scripts: Record<string, string> };

describe('the scripts of package.json', () => {
  it('exec: cmd on Windows finds it in the folder', () => {
    assert.match(readFileSync(new URL('exec.cmd', root), 'utf8'), /^@%\*$/m);
  });

  for (const [name, line] of Object.entries(scripts)) {
    const script = line.replace(/^exec /, '');

    it(`${name}: uses nothing that cmd on Windows lacks`, () => {
      // Shells differ in variables, substitutions, escapes, redirections and separators other than &&. Single quotes are not quotes
      // everywhere.
      assert.doesNotMatch(script.replaceAll(' && ', ' '), /['$%`;\\&|<>]/);
      assert.doesNotMatch(script, /\b(?:exec|env)\b|(?:^|&& )\w+=/);
    });

    it(`${name}: every program, file and script that it names exists`, () => {
      for (const command of script.split(' && ')) {
        const [program = '', ...args] = command.split(' ');
        assert.ok(['node', 'npm'].includes(program) || existsSync(new URL(`node_modules/.bin/${program}`, root)), program);
        const files = args.map((arg) => arg.replace(/^--[\w-]+=/, '')).filter((arg) => /^[\w./-]+\.(?:js|ts|json)$/.test(arg));
        for (const file of files) assert.ok(existsSync(new URL(file, root)), file);
        if (program === 'node') assert.ok(files.length > 0, `${command} runs a file`);
        if (program === 'npm') assert.ok(args[0] === 'run' && (args.at(-1) ?? '') in scripts, command);
      }
    });
  }
});
