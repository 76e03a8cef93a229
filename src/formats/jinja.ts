import { createExpression, type JinjaNames } from './jinja-expressions.ts';
import { type LiquidTools, NoLiquidForm, toRaw } from './liquid-forms.ts';
import { listTemplateTags, type TemplateTag } from './template-tags.ts';

/** The differences between Jinja and Nunjucks. */
export type JinjaLanguage = Pick<JinjaNames, 'words' | 'methods'>;

/** An open block. */
interface Block {
  end: string;
  /** The Liquid expressions for names inside the block. */
  names: ReadonlyMap<string, string>;
}

/** A Jinja tag: its first word, the text after it, and whether surrounding spaces are trimmed. */
interface Statement {
  word: string;
  rest: string;
  left: string;
  right: string;
}

/** Converts a Jinja or Nunjucks template to Liquid that renders the same text. */
export function jinjaToLiquid(text: string, language: JinjaLanguage, tools: LiquidTools): string {
  const tags = listTemplateTags(text, ['{{', '{%', '{#']);
  const matched = matchBlocks(tags);
  const blocks: (Block | undefined)[] = [];
  let result = '';
  let last = 0;
  for (const tag of tags) {
    // The tag is inside raw text, which was already copied.
    if (tag.start < last) continue;
    result += text.slice(last, tag.start);
    last = tag.end;
    try {
      const end = ['raw', 'verbatim'].includes(readStatement(tag).word) ? matched.get(tag) : undefined;
      if (end) last = end.end;
      const liquid = end
        ? toRaw(text.slice(tag.end, end.start))
        : convertTag(tag, { blocks, language, tools, isMatched: matched.has(tag) });
      const source = text.slice(tag.start, last);
      const isSame = withoutSpaces(liquid) === withoutSpaces(source);
      if (!isSame) tools.onConverted(tag, liquid);
      // A tag that has the same meaning in Liquid stays unchanged.
      result += isSame ? source : liquid;
    } catch (err) {
      if (!(err instanceof NoLiquidForm)) throw err;
      if (matched.has(tag)) {
        if (readStatement(tag).word.startsWith('end')) blocks.pop();
        else blocks.push(undefined);
      }
      result += tools.onForeign(tag, err.message);
    }
  }
  return result + text.slice(last);
}

function withoutSpaces(text: string): string {
  return text.replaceAll(/\s/g, '');
}

/** Finds the tags that begin or end a block, each with its matching tag. */
function matchBlocks(tags: TemplateTag[]): Map<TemplateTag, TemplateTag> {
  const matched = new Map<TemplateTag, TemplateTag>();
  const open: { word: string; tag: TemplateTag }[] = [];
  for (const tag of tags) {
    if (tag.open !== '{%' || !tag.isClosed) continue;
    const { word } = readStatement(tag);
    const top = open.at(-1);
    if (top && word === `end${top.word}`) {
      open.pop();
      matched.set(top.tag, tag).set(tag, top.tag);
      continue;
    }
    if (['if', 'for', 'raw', 'verbatim'].includes(word) && !['raw', 'verbatim'].includes(top?.word ?? '')) open.push({ word, tag });
  }
  return matched;
}

function readStatement({ open, body }: TemplateTag): Statement {
  const left = /^[-+]/.test(body) ? body.slice(0, 1) : '';
  const right = body.length > 1 && /[-+]$/.test(body) ? body.slice(-1) : '';
  const inner = body.slice(left.length, body.length - right.length).trim();
  const word = open === '{%' ? (/^\w+/.exec(inner)?.[0] ?? '') : '';
  return { word, rest: inner.slice(word.length).trim(), left, right };
}

interface State {
  blocks: (Block | undefined)[];
  language: JinjaLanguage;
  tools: LiquidTools;
  isMatched: boolean;
}

function convertTag(tag: TemplateTag, state: State): string {
  if (!tag.isClosed) throw new NoLiquidForm('The tag is not closed');
  const { word, rest, left, right } = readStatement(tag);
  if (left === '+' || right === '+') throw new NoLiquidForm('Liquid cannot force spaces to be kept');
  if (tag.open === '{#') throw new NoLiquidForm('Liquid comments cannot trim spaces');
  if (tag.open === '{{') return `{{${left} ${createExpression(rest, namesOf(state)).value()} ${right}}}`;
  return `{%${left} ${convertStatement({ word, rest }, state)} ${right}%}`;
}

function namesOf({ blocks, language, tools }: State): JinjaNames {
  return {
    find: (name) => blocks.findLast((block) => block?.names.has(name))?.names.get(name),
    isInLoop: blocks.some((block) => block?.end === 'endfor'),
    typeOf: tools.typeOf,
    ...language,
  };
}

function convertStatement({ word, rest }: Pick<Statement, 'word' | 'rest'>, state: State): string {
  const { blocks, isMatched } = state;
  const top = blocks.at(-1);
  switch (word) {
    case 'if':
    case 'for': {
      if (!isMatched) throw new NoLiquidForm('The block is not closed in this message');
      if (word === 'for') return openLoop(rest, state);
      const condition = createExpression(rest, namesOf(state)).condition();
      blocks.push({ end: 'endif', names: new Map() });
      return `if ${condition}`;
    }
    case 'elif':
    case 'elseif':
      if (top?.end !== 'endif') break;
      return `elsif ${createExpression(rest, namesOf(state)).condition()}`;
    case 'else':
      if (!top || rest !== '') break;
      return 'else';
    case 'endif':
    case 'endfor':
      if (!isMatched || top?.end !== word) break;
      blocks.pop();
      return word;
    case 'set': {
      const [, name, value] = /^([A-Za-z_]\w*)\s*=(?!=)([\s\S]*)$/.exec(rest) ?? [];
      // After a loop, the value of a variable that was set inside the loop is unknown.
      if (name === undefined || value === undefined || namesOf(state).isInLoop) break;
      return `assign ${name} = ${createExpression(value, namesOf(state)).value()}`;
    }
  }
  throw new NoLiquidForm('Liquid does not support this tag');
}

const loop = /^([A-Za-z_]\w*)(?:\s*,\s*([A-Za-z_]\w*))?\s+in\s+([\s\S]+)$/;

function openLoop(rest: string, state: State): string {
  const [, first, second, source] = loop.exec(rest) ?? [];
  if (first === undefined || source === undefined) throw new NoLiquidForm('Liquid does not support this loop');
  const names = namesOf(state);
  if (second === undefined) {
    const list = toRange(source) ?? createExpression(source, names).list().liquid;
    state.blocks.push({ end: 'endfor', names: new Map([[first, first]]) });
    return `for ${first} in ${list}`;
  }
  // This loop iterates over the keys and values of an object. In Liquid, an item contains both.
  const list = createExpression(source.replace(/\.items\(\s*\)\s*$/, ''), names).list().liquid;
  const item = `${first}_${second}`;
  state.blocks.push({
    end: 'endfor',
    names: new Map([
      [first, `${item}[0]`],
      [second, `${item}[1]`],
    ]),
  });
  return `for ${item} in ${list}`;
}

function toRange(source: string): string | undefined {
  const [, first, second] = /^range\(\s*(\d{1,6})\s*(?:,\s*(\d{1,6})\s*)?\)$/.exec(source.trim()) ?? [];
  if (first === undefined) return undefined;
  return second === undefined ? `(0..${Number(first) - 1})` : `(${first}..${Number(second) - 1})`;
}
