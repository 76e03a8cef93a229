import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { eventTypes } from '../../../src/contract/event-types.ts';
import { toSlackMessage } from '../../../src/domain/webhooks/slack.ts';
import type { EventRecord } from '../../../src/store/events/events.ts';

/** The parts of a message that the service uses, in the shapes that Slack documents: docs.slack.dev/reference/block-kit. */
const TextObject = Type.Object(
  { type: Type.Literal('mrkdwn'), text: Type.String({ minLength: 1, maxLength: 3000 }), verbatim: Type.Boolean() },
  { additionalProperties: false },
);
const Block = Type.Union([
  Type.Object({ type: Type.Literal('section'), text: TextObject }, { additionalProperties: false }),
  Type.Object(
    { type: Type.Literal('context'), elements: Type.Array(TextObject, { minItems: 1, maxItems: 10 }) },
    { additionalProperties: false },
  ),
]);
const Message = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: 4000 }),
    unfurl_links: Type.Boolean(),
    unfurl_media: Type.Boolean(),
    blocks: Type.Array(Block, { minItems: 1, maxItems: 50 }),
  },
  { additionalProperties: false },
);

const workspace = { id: 'w_1', name: 'Support' };
const origin = 'https://prompts.example.com';

function toEvent(type: string, fields: object = {}, { name = 'support/triage', by = 'Ada' } = {}): EventRecord {
  const person = { userId: 'u_1', name: by, via: 'api' } as const;
  const detail = JSON.stringify({ version: 3, label: 'production', from: 2, to: 3, ...fields });
  return { revision: 1, type, at: '2026-11-15T08:30:00.000Z', by: person, prompt: { id: 'p_1', name }, detail } as EventRecord;
}

describe('toSlackMessage', () => {
  it('has Slack’s shapes for every type of event, with and without a link', () => {
    const member = { userId: 'u_2', name: 'Grace', role: 'editor' };
    const cause = { prompt: { id: 'p_2', name: 'shared/tone' }, label: 'production' };
    for (const type of eventTypes) {
      for (const place of [origin, undefined]) {
        const worse = { metric: 'errors', current: 0.1, previous: 0.01, calls: 500 };
        const candidate = { id: 'cand_1', title: 'Shorter', revision: 1 };
        const proposal = { id: 'prop_1', changes: [{ prompt: 'support/triage', label: 'production', version: 3 }] };
        const comment = { id: 'com_1', thread: 'com_1', version: 3, part: 'text', line: 1, text: 'Why?' };
        const subjects = { member, cause, candidate, proposal, comment };
        const event = toEvent(type, { ...subjects, labels: ['production'], previousRole: 'viewer', message: 'Shorter', ...worse });
        const message = toSlackMessage(event, { workspace, origin: place });
        assert.ok(Value.Check(Message, message), `${type}: ${JSON.stringify(message)}`);
        assert.doesNotMatch(JSON.stringify(message), /undefined/);
        assert.equal(JSON.stringify(message).includes('https://'), place !== undefined);
      }
    }
  });

  it('says on which label a release is, and why the service stopped it', () => {
    const textOf = (type: string, release: object) => toSlackMessage(toEvent(type, { release }), { workspace, origin: undefined }).text;
    const arms = [{ version: 4, weight: 500 }];
    assert.match(textOf('release.started', { arms }), /started a release of .*support\/triage.* on .*production.*: version 4 for 5%/);
    const because: Record<string, string> = {
      not_allowed: ', because the next step needs checks or approvals',
      sample_ratio: ', because the numbers of units do not match the weights',
    };
    for (const [cause, reason] of Object.entries(because)) {
      const text = textOf('release.paused', { arms, cause, automatic: true });
      assert.match(text, new RegExp(`PromptHarbor.* paused the release of .*support/triage.* on .*production.*${reason}`));
    }
  });

  it('says what happened and links to the prompt in its workspace', () => {
    const message = toSlackMessage(toEvent('label.moved', {}, { name: 'support/träge & co' }), { workspace, origin });
    assert.equal(message.text, 'Ada moved production of support/träge &amp; co from version 2 to version 3');
    const footer = JSON.stringify(message.blocks.at(-1));
    assert.ok(footer.includes(`<${origin}/dashboard/prompts/support/tr%C3%A4ge%20%26%20co?workspace=w_1|Open in PromptHarbor>`), footer);
  });

  it('says what was commented on, with the text', () => {
    const toMessage = (type: string, comment: object) =>
      toSlackMessage(toEvent(type, { comment: { id: 'com_2', thread: 'com_1', ...comment } }), { workspace, origin });
    const added = toMessage('comment.added', { id: 'com_1', version: 3, part: 'text', line: 2, text: '<!channel> @Ada' });
    assert.equal(added.text, 'Ada commented on line 2 of version 3 of support/triage');
    assert.equal(added.blocks[1]?.text?.text, '&lt;!channel&gt; @Ada');
    const textOf = (type: string, comment: object) => toMessage(type, comment).text;
    assert.equal(textOf('comment.added', { proposal: 'prop_1' }), 'Ada replied to a comment on a proposal for support/triage');
    assert.equal(
      textOf('comment.changed', { candidate: 'cand_1', part: 'config', line: 1, resolved: true }),
      'Ada resolved a thread on line 1 of the config of a candidate of support/triage',
    );
    assert.equal(textOf('comment.changed', { version: 3 }), 'Ada edited a comment on version 3 of support/triage');
    assert.equal(textOf('comment.deleted', { version: 3 }), 'Ada deleted a comment on version 3 of support/triage');
  });

  it('says what became worse, in percent, milliseconds and seconds', () => {
    const textOf = (fields: object) =>
      toSlackMessage(toEvent('results.worsened', { calls: 500, ...fields }), { workspace, origin: undefined }).text;
    assert.equal(
      textOf({ metric: 'errors', current: 0.1034, previous: 0.0019 }),
      'production of support/triage: version 3 fails more often than version 2 (10% of calls instead of 0.19%)',
    );
    assert.equal(
      textOf({ metric: 'p95', current: 12_340, previous: 812.4 }),
      'production of support/triage: version 3 is slower than version 2 (95th percentile 12 s instead of 812 ms)',
    );
    assert.match(textOf({ metric: 'errors', current: 1, previous: 0 }), /100% of calls instead of 0%/);
  });

  it('nothing that people write pings a channel or becomes a link', () => {
    const evil = '<!channel> <https://evil.example|click> <@U123> & </>';
    const event = toEvent('version.created', { message: evil, member: { userId: 'u', name: evil } }, { name: evil, by: evil });
    const message = toSlackMessage(event, { workspace: { id: 'w_1', name: evil }, origin });
    const texts = [message.text, ...JSON.stringify(message.blocks).split('"')];
    for (const text of texts) {
      const markup = text.replaceAll(/<https:\/\/prompts\.example\.com\/[^<>|\s]*\|Open in PromptHarbor>/g, '');
      assert.doesNotMatch(markup, /[<>]/, text);
      assert.doesNotMatch(markup, /&(?!amp;|lt;|gt;)/, text);
    }
    assert.match(message.text, /&lt;!channel&gt;/);
  });

  it('cuts long texts within Slack’s limits, never inside an escape or a character', () => {
    for (const text of ['&'.repeat(100_000), '😀'.repeat(100_000), 'x'.repeat(1_000_000), '\ud800'.repeat(5000)]) {
      const message = toSlackMessage(toEvent('version.created', { message: text }, { name: text, by: text }), {
        workspace,
        origin: undefined,
      });
      assert.ok(Value.Check(Message, message), JSON.stringify(message).slice(0, 500));
      assert.doesNotMatch(JSON.stringify(message), /&(?!amp;|lt;|gt;)|\\ud/);
    }
    const empty = toSlackMessage(toEvent('test', {}, { name: '', by: '' }), { workspace: { id: 'w_1', name: '' }, origin: undefined });
    assert.ok(Value.Check(Message, empty), JSON.stringify(empty));
  });
});
