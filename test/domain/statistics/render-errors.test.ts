import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRenderErrorLimit, type RenderError, renderErrorsOf } from '../../../src/domain/statistics/render-errors.ts';
import { AppError } from '../../../src/errors.ts';

const missing = (name: string) => ({ code: 'missing_variables', name });
const other = missing('');

describe('the limit of render errors', () => {
  const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => missing(`${prefix}${index}`));

  it('counts names beyond the limit of a prompt or a workspace by their code alone', () => {
    const limit = createRenderErrorLimit();
    const count = (promptId: string, errors: RenderError[], workspaceId = 'u_1') => limit(errors, { hour: 1, workspaceId, promptId });
    assert.deepEqual(count('p_0', [...names('a', 20), missing('b'), missing('c')]), [...names('a', 20), other], 'a prompt has 20 names');
    assert.deepEqual(count('p_0', [missing('b'), missing('a1')]), [other, missing('a1')], 'known names are still counted');
    for (let prompt = 1; prompt < 10; prompt += 1) assert.equal(count(`p_${prompt}`, names('a', 20)).length, 20);
    assert.deepEqual(count('p_11', [missing('x'), missing('y')]), [other], 'a workspace has 200');
    assert.deepEqual(count('p_12', [missing('x')], 'u_2'), [missing('x')]);
  });

  it('starts anew with each hour', () => {
    const limit = createRenderErrorLimit();
    const count = (hour: number, errors: RenderError[]) => limit(errors, { hour, workspaceId: 'u_1', promptId: 'p_1' });
    assert.equal(count(1, names('a', 20)).length, 20);
    assert.deepEqual([count(1, [missing('b')]), count(2, [missing('b')])], [[other], [missing('b')]]);
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

  it('are only its code if it has no names, and nothing if the prompt did not cause it', () => {
    assert.deepEqual(renderErrorsOf(new AppError('template_too_costly')), [{ code: 'template_too_costly', name: '' }]);
    assert.deepEqual(renderErrorsOf(new AppError('overloaded')), []);
    assert.deepEqual(renderErrorsOf(new Error('x')), []);
  });
});
