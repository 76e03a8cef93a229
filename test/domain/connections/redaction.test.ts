import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRedactor } from '../../../src/domain/connections/redaction.ts';
import { createRandom } from '../../support/random.ts';

const key = 'sk-proj/AbC+dEf=0123456789"zyx\'9876543210';
const minLength = 16;
const { redact, open } = createRedactor(key, minLength);

function stream(chunks: Iterable<string>): string {
  const redacted = open();
  let text = '';
  for (const chunk of chunks) text += redacted.push(chunk);
  return text + redacted.end();
}

/** The forms in which the response of a server may contain a key. */
const forms: [string, string][] = [
  ['as it is', key],
  ['without its last character', key.slice(0, -1)],
  ['without its first character', key.slice(1)],
  ['its first half', key.slice(0, 20)],
  ['its second half', key.slice(20)],
  ['as JSON', JSON.stringify(key).slice(1, -1)],
  ['as JSON in JSON', JSON.stringify(JSON.stringify(key)).slice(3, -3)],
  ['with \\/', key.replaceAll('/', '\\/')],
  ['with one escape', key.replace('C', '\\u0043')],
  ['all escaped', Array.from(key, (char) => `\\u00${char.charCodeAt(0).toString(16)}`).join('')],
  ['all escaped, in capitals', Array.from(key, (char) => `\\u00${char.charCodeAt(0).toString(16).toUpperCase()}`).join('')],
  ['escaped twice', Array.from(key, (char) => `\\\\u00${char.charCodeAt(0).toString(16)}`).join('')],
];

describe('Redaction of a key', () => {
  for (const [title, form] of forms) {
    it(`replaces it, ${title}, in one text and in chunks`, () => {
      for (const [before, after] of [
        ['', ''],
        ['Your key: ', ', see.'],
        ['\\', '\\'],
        ['{"a":"', '"}'],
        ['語', '𝒜'],
      ] as const) {
        const text = `${before}${form}${after}`;
        const whole = redact(text);
        assert.ok(whole.includes('[key]') && whole.length <= before.length + 5 + after.length + 3, `${text} → ${whole}`);
        assert.equal(stream(text), whole, 'character by character');
        for (let at = 0; at <= text.length; at += 1) assert.equal(stream([text.slice(0, at), text.slice(at)]), whole, `cut at ${at}`);
      }
    });
  }

  it('leaves all other text unchanged, even text that resembles the key', () => {
    for (const text of [
      '',
      'Hello, world!',
      key.slice(0, minLength - 1),
      `${key.slice(0, 15)} ${key.slice(15, 30)} ${key.slice(30)}`,
      '\\',
      '\\\\\\',
      '\\u',
      '\\u00',
      '\\u00zz\\x\\n',
      'C:\\path\\to',
      'a\\u0043b',
      '𝒜\ud800',
    ]) {
      assert.equal(redact(text), text);
      assert.equal(stream(text.split('')), text);
    }
  });

  it('shows the same result however a text is split into chunks, and never a part of the key', () => {
    const random = createRandom(37);
    const parts = [...forms.map(([, form]) => form), 'word', ' ', '\\', 'u0043', '/', key.slice(3, 12), key.slice(25), '語'];
    for (let round = 0; round < 2000; round += 1) {
      const text = Array.from({ length: 1 + random.below(6) }, () => {
        const part = random.pick(parts);
        // A part that contains an escape is not cut, because the rest of the escape would stand for different characters.
        return random.below(3) === 0 && !part.includes('\\') ? part.slice(random.below(part.length)) : part;
      }).join('');
      const chunks: string[] = [];
      for (let at = 0; at < text.length; ) {
        const end = at + 1 + random.below(12);
        chunks.push(text.slice(at, end));
        at = end;
      }
      const whole = redact(text);
      assert.equal(stream(chunks), whole, JSON.stringify(chunks));
      for (let start = 0; start + minLength <= key.length; start += 1) {
        assert.ok(!whole.includes(key.slice(start, start + minLength)), `${text} → ${whole}`);
      }
    }
  });

  it('holds back no more than a part of the key', () => {
    for (const text of ['\\'.repeat(1000), key.slice(0, 15).repeat(100), `${key.slice(1, 3)}`.repeat(1000)]) {
      const redacted = open();
      const shown = redacted.push(text);
      assert.ok(shown.length >= text.length - 100, `${shown.length} of ${text.length}`);
    }
  });

  it('replaces a short key only as a whole', () => {
    const short = createRedactor('ollama', 'ollama'.length);
    assert.equal(short.redact('ollama ollam o\\u006clama'), '[key] ollam [key]');
    assert.equal(createRedactor('\\\\', 2).redact('a\\\\b'), 'a\\\\b');
  });
});
