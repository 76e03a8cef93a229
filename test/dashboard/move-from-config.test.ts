import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Draft, emptyDraft } from '../../dashboard/src/editor/drafts/draft.ts';
import { moveFromConfig } from '../../dashboard/src/editor/tools/move-from-config.ts';

const tool = { name: 'find', description: 'Finds an order.' };
const config = {
  model: 'a',
  tools: [{ type: 'function', function: tool }],
  response_format: { type: 'json_schema', json_schema: { name: 'output', schema: { type: 'object' } } },
  variables: { tone: { description: 'How it sounds' } },
};
const draftWith = (part: Partial<Draft>): Draft => ({ ...emptyDraft, config: JSON.stringify(config), ...part });

describe('moving tools, the output schema and variables out of a config', () => {
  it('moves all of them at once', () => {
    const moved = moveFromConfig(draftWith({}))?.draft;
    assert.deepEqual(JSON.parse(moved?.config ?? ''), { model: 'a' });
    assert.deepEqual(JSON.parse(moved?.tools ?? ''), [tool]);
    assert.deepEqual(JSON.parse(moved?.output ?? ''), { schema: { type: 'object' } });
    assert.deepEqual(moved?.variables, [{ name: 'tone', description: 'How it sounds' }]);
  });

  it('leaves in the config what the draft declares already', () => {
    const declared = { tools: '[{ "name": "find" }]', output: '{ "schema": {} }', variables: [{ name: 'tone', default: 'warm' }] };
    assert.equal(moveFromConfig(draftWith(declared)), undefined);
    const { tools: _, ...withoutTools } = declared;
    const moved = moveFromConfig(draftWith(withoutTools))?.draft;
    const { tools: __, ...left } = config;
    assert.deepEqual(JSON.parse(moved?.config ?? ''), left);
    assert.deepEqual(moved?.variables, declared.variables);
  });

  it('moves nothing while the config or the tools are not valid JSON, and adds tools after those of the draft', () => {
    assert.equal(moveFromConfig(draftWith({ config: '{ "tools": [' })), undefined);
    assert.deepEqual(moveFromConfig(draftWith({ tools: '[{' }))?.draft.tools, '[{');
    const moved = moveFromConfig(draftWith({ tools: '[{ "name": "sum" }]' }))?.draft;
    assert.deepEqual(JSON.parse(moved?.tools ?? ''), [{ name: 'sum' }, tool]);
    assert.equal(moveFromConfig({ ...emptyDraft, config: '{ "tools": "search", "variables": 7 }' }), undefined);
  });
});
