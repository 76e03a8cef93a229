import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { estimateMessageTokens, estimateTokens } from '../../src/contract/token-estimate.ts';

describe('an estimate of tokens', () => {
  it('counts four characters of most scripts as one token, and each character of East Asian scripts', () => {
    assert.equal(estimateTokens(''), 0);
    assert.equal(estimateTokens('abcd'), 1);
    assert.equal(estimateTokens('abcde'), 2);
    assert.equal(estimateTokens('привет!!'), 2);
    assert.equal(estimateTokens('你好世界'), 4);
    assert.equal(estimateTokens('你好 ok!'), 3);
    assert.equal(estimateTokens('\u{1f600}'), 2);
  });

  it('of messages counts texts, tool calls and attachments, but not the bytes of an image', () => {
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(1_000_000)}` } };
    assert.equal(estimateMessageTokens([]), 0);
    assert.equal(estimateMessageTokens([{ role: 'user', content: 'abcd' }]), 5);
    assert.equal(estimateMessageTokens([{ role: 'user', content: [{ type: 'text', text: 'abcd' }, image] }]), 1005);
    assert.equal(estimateMessageTokens([{ role: 'assistant', content: null, tool_calls: ['abcd'] }]), 4 + Math.ceil('["abcd"]'.length / 4));
    assert.equal(estimateMessageTokens([{ role: 'user', content: [null, 7] }]), 2004);
  });
});
