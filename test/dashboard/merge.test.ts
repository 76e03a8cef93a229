import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Draft, emptyDraft } from '../../dashboard/src/editor/drafts/draft.ts';
import { mergeConfig } from '../../dashboard/src/editor/merge/merge-config.ts';
import { type Choice, composeDraft, mergeDrafts, type Part } from '../../dashboard/src/editor/merge/merge-drafts.ts';
import { mergeText } from '../../dashboard/src/editor/merge/merge-text.ts';
import type { Message } from '../../dashboard/src/lib/types.ts';

const chat = (...messages: [role: string, content: string][]): Draft => ({
  ...emptyDraft,
  syntax: 'liquid',
  messages: messages.map(([role, content]) => ({ role, content })),
  config: '{}',
});
const text = (template: string, config = '{}'): Draft => ({ ...emptyDraft, syntax: 'liquid', template, config });
const choosing = (parts: Part[], choice: Choice) => composeDraft(parts, new Map(parts.map((part) => [part, choice])));
const titlesOf = (parts: Part[]) => parts.flatMap(({ conflict }) => (conflict ? [conflict.title] : []));

/** Asserts that there is no conflict, and returns the messages as pairs. */
function mergeChats(base: Draft, mine: Draft, theirs: Draft) {
  const parts = mergeDrafts('chat', { base, mine, theirs });
  assert.deepEqual(titlesOf(parts), []);
  return pairsOf(composeDraft(parts, new Map()));
}

function pairsOf(draft: Draft | undefined) {
  return draft?.messages.map((message: Message) => ('placeholder' in message ? [message.placeholder] : [message.role, message.content]));
}

describe('merging a draft with a version that was saved in the meantime', () => {
  const base = chat(['system', 'Be kind.'], ['user', '{{ question }}'], ['assistant', 'Yes.']);

  it('keeps changes of different messages', () => {
    const mine = chat(['system', 'Be brief.'], ['user', '{{ question }}'], ['assistant', 'Yes.']);
    const theirs = chat(['system', 'Be kind.'], ['user', 'Q: {{ question }}'], ['assistant', 'Yes.']);
    assert.deepEqual(mergeChats(base, mine, theirs), [
      ['system', 'Be brief.'],
      ['user', 'Q: {{ question }}'],
      ['assistant', 'Yes.'],
    ]);
  });

  it('keeps a change, an added, a moved and a removed message', () => {
    const mine = chat(['system', 'Be brief.'], ['user', 'example'], ['user', '{{ question }}']);
    const theirs = chat(['system', 'Be kind.'], ['user', '{{ question }}'], ['assistant', 'Yes.'], ['user', 'Thanks']);
    assert.deepEqual(mergeChats(base, mine, theirs), [
      ['system', 'Be brief.'],
      ['user', 'example'],
      ['user', '{{ question }}'],
      ['user', 'Thanks'],
    ]);
  });

  it('recognizes a message by its role when other messages were added next to it', () => {
    const mine = chat(['system', 'Be brief.'], ['user', 'Q: {{ question }}'], ['assistant', 'No.'], ['user', 'Really?']);
    const theirs = chat(['developer', 'Be kind.'], ['user', '{{ question }}'], ['assistant', 'Yes.']);
    assert.deepEqual(mergeChats(base, mine, theirs), [['developer', 'Be brief.'], ...pairs(mine).slice(1)]);
  });

  it('merges two changes of one message by line, and a change of its role', () => {
    const before = chat(['user', 'one\ntwo\nthree\nfour']);
    const mine = chat(['user', 'ONE\ntwo\nthree\nfour']);
    const theirs = chat(['assistant', 'one\ntwo\nthree\nFOUR']);
    assert.deepEqual(mergeChats(before, mine, theirs), [['assistant', 'ONE\ntwo\nthree\nFOUR']]);
  });

  it('asks only about lines that both sides changed, and keeps the rest whatever is chosen', () => {
    const before = text('one\ntwo\nthree\nfour\nfive');
    const parts = mergeDrafts('text', {
      base: before,
      mine: text('ONE\ntwo\nmine\nfour\nfive'),
      theirs: text('one\ntwo\ntheirs\nfour\nFIVE'),
    });
    assert.deepEqual(titlesOf(parts), ['Template']);
    assert.equal(composeDraft(parts, new Map()), undefined);
    assert.equal(choosing(parts, 'mine')?.template, 'ONE\ntwo\nmine\nfour\nFIVE');
    assert.equal(choosing(parts, 'theirs')?.template, 'ONE\ntwo\ntheirs\nfour\nFIVE');
    assert.equal(choosing(parts, { edited: 'written' })?.template, 'written');
    assert.equal(parts.find(({ conflict }) => conflict)?.conflict?.edit?.start, 'ONE\ntwo\ntheirs\nmine\nfour\nFIVE');
  });

  it('asks about a message that one side changed and the other removed', () => {
    const mine = chat(['system', 'Be kind.'], ['assistant', 'Yes.']);
    const theirs = chat(['system', 'Be kind.'], ['user', 'Q: {{ question }}'], ['assistant', 'Yes.']);
    const removed = mergeDrafts('chat', { base, mine, theirs });
    assert.deepEqual(titlesOf(removed), ['Message 2, which you removed']);
    assert.deepEqual(pairsOf(choosing(removed, 'mine')), pairs(mine));
    assert.deepEqual(pairsOf(choosing(removed, 'theirs')), pairs(theirs));
    const changed = mergeDrafts('chat', { base, mine: theirs, theirs: mine });
    assert.deepEqual(titlesOf(changed), ['Message 2, which they removed']);
  });

  it('offers to keep both if both sides added messages at the same place', () => {
    const mine = chat(...pairs(base), ['user', 'mine']);
    const theirs = chat(...pairs(base), ['user', 'theirs']);
    const parts = mergeDrafts('chat', { base, mine, theirs });
    assert.deepEqual(titlesOf(parts), ['Messages that both of you added after message 3']);
    assert.deepEqual(pairsOf(choosing(parts, 'both'))?.slice(3), [
      ['user', 'theirs'],
      ['user', 'mine'],
    ]);
  });

  it('does not mix two template languages', () => {
    const before = text('Hello {{ name }}');
    const theirs: Draft = { ...text('Hello {{name}}'), syntax: 'mustache' };
    const unchanged = mergeDrafts('text', { base: before, mine: { ...before, config: '[]' }, theirs });
    assert.deepEqual(composeDraft(unchanged, new Map()), { ...theirs, config: '[]' });
    const parts = mergeDrafts('text', { base: before, mine: text('Hi {{ name }}'), theirs });
    assert.deepEqual(titlesOf(parts), ['Syntax and text']);
    assert.deepEqual(choosing(parts, 'theirs'), theirs);
    assert.deepEqual(choosing(parts, 'mine'), text('Hi {{ name }}'));
  });

  it('represents messages with the same content as separate objects', () => {
    const twice = chat(['user', ''], ['user', '']);
    const merged = composeDraft(mergeDrafts('chat', { base: twice, mine: twice, theirs: twice }), new Map());
    assert.notEqual(merged?.messages[0], merged?.messages[1]);
  });

  it('merges the config by property', () => {
    const write = (value: unknown) => JSON.stringify(value, null, 2);
    const before = write({ model: 'a', temperature: 0, tools: { search: true } });
    const merged = mergeConfig({
      base: before,
      mine: write({ model: 'a', temperature: 1, tools: { search: true, sum: 1 } }),
      theirs: write({ model: 'b', temperature: 0, tools: {}, ['__proto__']: 1 }),
    });
    assert.equal(merged.mine, merged.theirs);
    assert.deepEqual(JSON.parse(merged.mine), JSON.parse('{"model":"b","temperature":1,"tools":{"sum":1},"__proto__":1}'));
    const both = mergeConfig({ base: before, mine: write({ model: 'c', temperature: 2 }), theirs: write({ model: 'b', temperature: 2 }) });
    assert.deepEqual(
      [JSON.parse(both.mine), JSON.parse(both.theirs)],
      [
        { model: 'c', temperature: 2 },
        { model: 'b', temperature: 2 },
      ],
    );
  });

  it('keeps a config that is not valid yet, and asks if the other side changed the config', () => {
    assert.deepEqual(mergeConfig({ base: '{}', mine: '{ "a": ', theirs: '{}' }), { mine: '{ "a": ', theirs: '{ "a": ' });
    assert.deepEqual(mergeConfig({ base: '{}', mine: '{ "a": ', theirs: '[]' }), { mine: '{ "a": ', theirs: '[]' });
  });

  it('merges tools and declared variables by name, and the output schema by property', () => {
    const write = (value: unknown) => JSON.stringify(value, null, 2);
    const find = { name: 'find', description: 'Finds.' };
    const before: Draft = {
      ...text(''),
      variables: [{ name: 'tone', type: 'text' }],
      tools: write([find]),
      output: write({ schema: { type: 'object' } }),
    };
    const mine: Draft = {
      ...before,
      variables: [
        { name: 'tone', type: 'text' },
        { name: 'name', description: 'Who' },
      ],
      tools: write([{ ...find, strict: true }, { name: 'sum' }]),
      output: write({ schema: { type: 'object', title: 'Mine' } }),
    };
    const theirs: Draft = {
      ...before,
      variables: [{ name: 'tone', type: 'text', default: 'warm' }],
      tools: write([{ ...find, description: 'Finds an order.' }]),
      output: write({ schema: { type: 'object' }, strict: true }),
    };
    const parts = mergeDrafts('text', { base: before, mine, theirs });
    assert.deepEqual(titlesOf(parts), []);
    const merged = composeDraft(parts, new Map());
    assert.deepEqual(JSON.parse(merged?.tools ?? ''), [{ name: 'find', description: 'Finds an order.', strict: true }, { name: 'sum' }]);
    assert.deepEqual(JSON.parse(merged?.output ?? ''), { schema: { type: 'object', title: 'Mine' }, strict: true });
    assert.deepEqual(merged?.variables, [
      { name: 'tone', type: 'text', default: 'warm' },
      { name: 'name', description: 'Who' },
    ]);
  });

  it('asks about tools and variables that both have changed, and removes what one has removed', () => {
    const before: Draft = { ...text(''), variables: [{ name: 'tone', type: 'text' }], tools: '[{ "name": "find" }]' };
    const mine: Draft = { ...before, variables: [{ name: 'tone', type: 'number' }], tools: '[{ "name": "find", "strict": true' };
    const theirs: Draft = { ...before, variables: [{ name: 'tone', type: 'boolean' }], tools: '' };
    const parts = mergeDrafts('text', { base: before, mine, theirs });
    assert.deepEqual(titlesOf(parts), ['Variables', 'Tools']);
    assert.deepEqual(choosing(parts, 'mine'), mine);
    assert.deepEqual(choosing(parts, 'theirs'), theirs);
    const removed = mergeDrafts('text', { base: before, mine: before, theirs: { ...before, variables: [], tools: '' } });
    assert.deepEqual(composeDraft(removed, new Map()), text(''));
  });

  it('keeps parts of messages, and asks about a message whose parts both have changed', () => {
    const image = (url: string) => ({ type: 'image' as const, url });
    const withContent = (content: Message): Draft => ({ ...chat(), messages: [content] });
    const before = withContent({ role: 'user', content: 'Look' });
    const mine = withContent({ role: 'user', content: [{ type: 'text', text: 'Look' }, image('{{ photo }}')] });
    const theirs = withContent({ role: 'user', content: [image('https://example.com/a.png')] });
    assert.deepEqual(composeDraft(mergeDrafts('chat', { base: before, mine, theirs: before }), new Map()), mine);
    const parts = mergeDrafts('chat', { base: before, mine, theirs });
    assert.deepEqual(titlesOf(parts), ['Message 1']);
    assert.deepEqual(choosing(parts, 'mine'), mine);
    assert.deepEqual(choosing(parts, 'theirs'), theirs);
  });

  it('loses nothing: whoever changed nothing gets what the other has, and the order of the sides does not matter', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 8 }).map((items) => items.join('\n'));
    fc.assert(
      fc.property(lines, lines, lines, (before, one, other) => {
        assert.deepEqual(mergeText({ base: before, mine: one, theirs: before }).theirs, one);
        assert.deepEqual(mergeText({ base: before, mine: before, theirs: other }).mine, other);
        assert.deepEqual(mergeText({ base: before, mine: one, theirs: one }).theirs, one);
        assert.deepEqual(
          mergeText({ base: before, mine: one, theirs: other }).mine,
          mergeText({ base: before, mine: other, theirs: one }).theirs,
        );
      }),
    );
  });

  it('keeps the messages of the only side that changed them', () => {
    const message = fc.tuple(fc.constantFrom('system', 'user', 'assistant'), fc.constantFrom('a', 'b', 'c'));
    const drafts = fc.array(message, { maxLength: 5 }).map((messages) => chat(...messages));
    fc.assert(
      fc.property(drafts, drafts, (before, one) => {
        assert.deepEqual(mergeChats(before, one, before), pairs(one));
        assert.deepEqual(mergeChats(before, before, one), pairs(one));
        assert.deepEqual(mergeChats(before, one, one), pairs(one));
      }),
    );
  });
});

function pairs(draft: Draft): [string, string][] {
  return draft.messages.flatMap((message): [string, string][] => ('content' in message ? [[message.role, String(message.content)]] : []));
}
