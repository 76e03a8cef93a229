import { HighlightStyle, LanguageSupport, StreamLanguage, type StringStream, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';

interface LiquidState {
  /** The construct around the current position: plain text, `{{ … }}`, `{% … %}`, or a comment or raw block. */
  inside: 'text' | 'output' | 'tag' | 'comment' | 'raw';
  /** Whether the next word is the tag's name. */
  expectsName: boolean;
  /** Whether the next word is a filter's name. */
  expectsFilter: boolean;
}

const words = /^(?:and|or|contains|in|with|as|true|false|nil|null|empty|blank|reversed|limit|offset|by)$/;

/** A tokenizer for plain text with Liquid. It finds tags, outputs, filters and strings. */
const liquid = StreamLanguage.define<LiquidState>({
  name: 'liquid',
  startState: () => ({ inside: 'text', expectsName: false, expectsFilter: false }),
  token: (stream, state) => (state.inside === 'output' || state.inside === 'tag' ? readInside(stream, state) : readOutside(stream, state)),
  tokenTable: {
    delimiter: tags.bracket,
    tagName: tags.keyword,
    word: tags.operatorKeyword,
    variable: tags.variableName,
    filter: tags.function(tags.variableName),
    string: tags.string,
    number: tags.number,
    comment: tags.comment,
    punctuation: tags.punctuation,
  },
});

function readOutside(stream: StringStream, state: LiquidState): string | null {
  const block = state.inside === 'comment' || state.inside === 'raw' ? state.inside : undefined;
  if (block) {
    if (stream.match(new RegExp(`^\\{%-?\\s*end${block}\\s*-?%\\}`))) {
      state.inside = 'text';
      return 'delimiter';
    }
    stream.next();
    stream.eatWhile(/[^{]/);
    return block === 'comment' ? 'comment' : null;
  }
  const opening = stream.match(/^\{%-?\s*(comment|raw)\s*-?%\}/);
  if (opening && typeof opening === 'object') {
    state.inside = opening[1] === 'raw' ? 'raw' : 'comment';
    return 'delimiter';
  }
  if (stream.match(/^\{\{-?/)) return enter(state, 'output');
  if (stream.match(/^\{%-?/)) return enter(state, 'tag');
  stream.next();
  stream.eatWhile(/[^{]/);
  return null;
}

function enter(state: LiquidState, inside: 'output' | 'tag'): string {
  state.inside = inside;
  state.expectsName = inside === 'tag';
  state.expectsFilter = false;
  return 'delimiter';
}

function readInside(stream: StringStream, state: LiquidState): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match(state.inside === 'output' ? /^-?\}\}/ : /^-?%\}/)) {
    state.inside = 'text';
    return 'delimiter';
  }
  if (stream.match(/^"[^"]*"?|^'[^']*'?/)) return 'string';
  if (stream.match(/^-?\d+(?:\.\d+)?/)) return 'number';
  const word = stream.match(/^[A-Za-z_][\w-]*\??/);
  if (word && typeof word === 'object') return wordToken(word[0], state);
  state.expectsFilter = stream.next() === '|';
  return 'punctuation';
}

function wordToken(word: string, state: LiquidState): string {
  if (state.expectsName) {
    state.expectsName = false;
    return 'tagName';
  }
  if (state.expectsFilter) {
    state.expectsFilter = false;
    return 'filter';
  }
  return words.test(word) ? 'word' : 'variable';
}

const style = HighlightStyle.define([
  { tag: [tags.bracket, tags.operatorKeyword], color: 'var(--syntax-tag)' },
  { tag: tags.keyword, color: 'var(--syntax-tag)', fontWeight: '600' },
  { tag: [tags.variableName, tags.propertyName], color: 'var(--syntax-variable)', fontWeight: '500' },
  { tag: tags.function(tags.variableName), color: 'var(--syntax-tag)' },
  { tag: tags.string, color: 'var(--syntax-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--syntax-number)' },
  { tag: tags.comment, color: 'var(--syntax-comment)', fontStyle: 'italic' },
  { tag: tags.punctuation, color: 'var(--syntax-comment)' },
]);

export const highlighting = syntaxHighlighting(style);

export function liquidLanguage(): LanguageSupport {
  return new LanguageSupport(liquid);
}
