import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRenderErrorLimit, renderErrorsOf } from '../../src/domain/statistics/render-errors.ts';
import { AppError } from '../../src/errors.ts';

const missing = (name: string) => ({ code: 'missing_variables', name });
const other = missing('');

describe('the limit of render errors', () => {
  it('counts names beyond the limit of a prompt, a workspace or all by their code alone', () => {
    const limit = createRenderErrorLimit({ namesPerPrompt: 2, namesPerWorkspace: 3, names: 4 });
    const count = (workspaceId: string, promptId: string, ...names: string[]) =>
      limit({ workspaceId, hour: 1, promptId, errors: names.map(missing) });
    assert.deepEqual(count('u_1', 'p_1', 'a', 'b', 'c', 'd'), [missing('a'), missing('b'), other], 'a prompt has two names');
    assert.deepEqual(count('u_1', 'p_1', 'c', 'a'), [other, missing('a')], 'known names are still counted');
    assert.deepEqual(count('u_1', 'p_2', 'x', 'y'), [missing('x'), other], 'a workspace has three');
    assert.deepEqual(count('u_2', 'p_3', 'x', 'y'), [missing('x'), other], 'all have four');
    assert.deepEqual(count('u_1', 'p_2', 'x'), [missing('x')]);
  });

  it('starts anew with each hour', () => {
    const limit = createRenderErrorLimit({ namesPerPrompt: 1 });
    const count = (hour: number, name: string) => limit({ workspaceId: 'u_1', hour, promptId: 'p_1', errors: [missing(name)] });
    assert.deepEqual([count(1, 'a'), count(1, 'b'), count(2, 'b'), count(2, 'a')], [[missing('a')], [other], [missing('b')], [other]]);
  });
});

describe('the causes of an error', () => {
  it('are its names, at most 20, as text that every database stores', () => {
    const names = Array.from({ length: 500 }, (_, index) => `v${index}`);
    assert.equal(renderErrorsOf(new AppError('missing_variables', { names })).length, 20);
    const [error] = renderErrorsOf(new AppError('unresolved_partial', { names: [`\0\n${'😀'.repeat(200)}\uD83D`] }));
    assert.ok(error && error.name.length === 200 && error.name.isWellFormed() && error.name.startsWith('\uFFFD\uFFFD😀'));
    assert.ok(renderErrorsOf(new AppError('unresolved_partial', { names: ['a\uD83D'] }))[0]?.name.isWellFormed());
  });

  it('are its code alone if it has no names, and nothing if the prompt is not to blame', () => {
    assert.deepEqual(renderErrorsOf(new AppError('template_too_costly')), [{ code: 'template_too_costly', name: '' }]);
    assert.deepEqual(renderErrorsOf(new AppError('overloaded')), []);
    assert.deepEqual(renderErrorsOf(new Error('x')), []);
  });
});
