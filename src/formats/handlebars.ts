import { createHandlebarsScopes, type HandlebarsScopes } from './handlebars-scopes.ts';
import { isPresent, type LiquidTools, NoLiquidForm, quote, toRaw } from './liquid-forms.ts';
import { listTemplateTags, type TemplateTag } from './template-tags.ts';

interface Block {
  name: string;
  /** The tag that ends the block in Liquid. */
  end: string;
  hasScope: boolean;
}

/** Converts a Handlebars template with dotprompt's helpers to Liquid that renders the same text. */
export function handlebarsToLiquid(text: string, tools: LiquidTools): string {
  const tags = listTemplateTags(text, ['{{{', '{{!--', '{{']);
  const matched = matchBlocks(tags);
  const scopes = createHandlebarsScopes(text, tools.typeOf);
  /** The open blocks. The entry of a block that is kept as text is undefined. */
  const blocks: (Block | undefined)[] = [];
  let result = '';
  let last = 0;
  for (const tag of tags) {
    const isEscaped = text[tag.start - 1] === '\\';
    const alone = isEscaped ? undefined : findLine(text, tag);
    result += toLiteral(text.slice(last, isEscaped ? tag.start - 1 : (alone?.start ?? tag.start)));
    last = alone?.end ?? tag.end;
    try {
      const liquid = isEscaped ? toRaw(tag.source) : convertTag(tag, { scopes, blocks, isMatched: matched.has(tag) });
      const isSame = liquid.replaceAll(' ', '') === tag.source.replaceAll(' ', '');
      if (!isSame) tools.onConverted(tag, liquid);
      // A tag that has the same meaning in Liquid stays unchanged.
      result += isSame ? tag.source : liquid;
    } catch (err) {
      if (!(err instanceof NoLiquidForm)) throw err;
      if (matched.has(tag)) trackForeign(tag, blocks);
      result += (isEscaped ? '\\' : text.slice(alone?.start ?? tag.start, tag.start)) + tools.onForeign(tag, err.message);
      result += text.slice(tag.end, last);
    }
  }
  return result + toLiteral(text.slice(last));
}

/** Escapes text that looks like a Liquid tag, because it is plain text in Handlebars. */
function toLiteral(text: string): string {
  return text.replaceAll('{%', '{% raw %}{%{% endraw %}');
}

/** Finds the tags that begin or end a block and have a matching tag. */
function matchBlocks(tags: TemplateTag[]): Set<TemplateTag> {
  const matched = new Set<TemplateTag>();
  const open: { name: string; tag: TemplateTag }[] = [];
  for (const tag of tags) {
    if (tag.open !== '{{' || !tag.isClosed) continue;
    const { body } = readTag(tag);
    const begin = /^[#^]\s*([^\s]+)/.exec(body)?.[1];
    const end = /^\/\s*([^\s]+)$/.exec(body)?.[1];
    if (begin !== undefined) open.push({ name: begin, tag });
    const top = open.at(-1);
    if (end === undefined || top?.name !== end) continue;
    open.pop();
    matched.add(top.tag).add(tag);
  }
  return matched;
}

/** Tracks blocks that remain text, so that the tags at their ends remain text too. */
function trackForeign(tag: TemplateTag, blocks: (Block | undefined)[]): void {
  const { body } = readTag(tag);
  if (body.startsWith('/')) blocks.pop();
  else blocks.push(undefined);
}

/** Splits a tag into its body and the signs that trim spaces. */
function readTag({ body }: TemplateTag): { body: string; left: string; right: string } {
  const left = body.startsWith('~') ? '-' : '';
  const right = body.endsWith('~') && body.length > 1 ? '-' : '';
  return { body: body.slice(left.length, body.length - right.length).trim(), left, right };
}

interface State {
  scopes: HandlebarsScopes;
  blocks: (Block | undefined)[];
  isMatched: boolean;
}

function convertTag(tag: TemplateTag, state: State): string {
  if (!tag.isClosed) throw new NoLiquidForm('The tag is not closed');
  if (tag.open === '{{!--') return '';
  const { body, left, right } = readTag(tag);
  const toTag = (content: string) => `{%${left} ${content} ${right}%}`;
  if (body.startsWith('!')) return '';
  if (body.startsWith('>')) throw new NoLiquidForm('Liquid does not support Handlebars partials');
  if (tag.open === '{{' && /^[#^]\s*[^\s]/.test(body) && body !== '^') return toTag(openBlock(body, state));
  if (tag.open === '{{' && body.startsWith('/')) return toTag(closeBlock(state));
  if (tag.open === '{{' && (body === '^' || /^else\b/.test(body))) return toTag(switchBranch(body, state));
  return `{{${left} ${convertOutput(body.replace(/^&\s*/, ''), state.scopes)} ${right}}}`;
}

function convertOutput(body: string, scopes: HandlebarsScopes): string {
  const json = /^json\s+([^\s=()]+)(?:\s+indent=(\d+))?$/.exec(body);
  if (json?.[1] !== undefined) return `${scopes.toPath(json[1]).liquid} | json${json[2] === undefined ? '' : `: ${json[2]}`}`;
  if (/^media\b/.test(body)) throw new NoLiquidForm('Liquid does not support media inside blocks or this kind of media');
  if (/\s/.test(body)) throw new NoLiquidForm('Liquid does not support this helper');
  return scopes.toPath(body).liquid;
}

function openBlock(body: string, { scopes, blocks, isMatched }: State): string {
  if (!isMatched) throw new NoLiquidForm('The block is not closed in this message');
  const [, sign = '', name = '', rest = ''] = /^([#^])\s*([^\s]+)\s*([\s\S]*)$/.exec(body) ?? [];
  const [, given = '', names] = /^([^|]*?)(?:\s*\bas\s*\|([^|]*)\|)?$/.exec(rest) ?? [];
  const parameters = names?.trim().split(/\s+/) ?? [];
  const values = given.match(/"[^"]*"|'[^']*'|[^\s]+/g) ?? [];
  const [first = '', second] = values;
  const begin = (content: string, end: string, hasScope = false) => {
    blocks.push({ name, end, hasScope });
    return content;
  };
  // The content of `{{^x}}` is rendered if `x` is missing or empty.
  if (sign === '^' && values.length === 0) return begin(`unless ${isPresent(scopes.toPath(name))}`, 'endunless');
  if (sign === '#' && values.length === 1) {
    const value = scopes.toPath(first);
    if (name === 'if') return begin(`if ${isPresent(value)}`, 'endif');
    if (name === 'unless') return begin(`unless ${isPresent(value)}`, 'endunless');
    if (name === 'with') {
      scopes.enter(value.liquid, parameters);
      return begin(`if ${isPresent(value)}`, 'endif', true);
    }
    if (name === 'each') return begin(`for ${scopes.enterLoop(value, parameters)} in ${value.liquid}`, 'endfor', true);
  }
  if (sign === '#' && values.length === 2 && second !== undefined && (name === 'ifEquals' || name === 'unlessEquals')) {
    return begin(`if ${toValue(first, scopes)} ${name === 'ifEquals' ? '==' : '!='} ${toValue(second, scopes)}`, 'endif');
  }
  throw new NoLiquidForm('Liquid does not support this block');
}

function toValue(text: string, scopes: HandlebarsScopes): string {
  if (/^["']/.test(text)) return quote(text.slice(1, -1));
  return /^(?:-?\d+(?:\.\d+)?|true|false)$/.test(text) ? text : scopes.toPath(text).liquid;
}

function closeBlock({ scopes, blocks, isMatched }: State): string {
  if (!isMatched) throw new NoLiquidForm('The block is not opened in this message');
  const block = blocks.at(-1);
  if (!block) throw new NoLiquidForm('Liquid does not support this block');
  blocks.pop();
  if (block.hasScope) scopes.leave();
  return block.end;
}

function switchBranch(body: string, { scopes, blocks }: State): string {
  const block = blocks.at(-1);
  if (!block) throw new NoLiquidForm('Liquid does not support this block');
  if (block.hasScope) {
    scopes.leave();
    block.hasScope = false;
  }
  if (body === 'else' || body === '^') return 'else';
  const value = /^else\s+if\s+([^\s()=]+)$/.exec(body)?.[1];
  if (value === undefined || block.end === 'endfor') throw new NoLiquidForm('Liquid does not support this branch');
  return `elsif ${isPresent(scopes.toPath(value))}`;
}

const blockTag = /^~?\s*(?:[#^/!]|else\b)/;

/** Finds the line of a block tag that is alone on its line. Handlebars does not render such a line. */
function findLine(text: string, { open, body, start, end, isClosed }: TemplateTag): { start: number; end: number } | undefined {
  if (!isClosed || !(open === '{{!--' || (open === '{{' && blockTag.test(body)))) return undefined;
  let lineStart = start;
  while (text[lineStart - 1] === ' ' || text[lineStart - 1] === '\t') lineStart -= 1;
  let lineEnd = end;
  while (text[lineEnd] === ' ' || text[lineEnd] === '\t') lineEnd += 1;
  if (lineStart > 0 && text[lineStart - 1] !== '\n') return undefined;
  if (lineEnd === text.length) return { start: lineStart, end: lineEnd };
  if (text[lineEnd] === '\r' && text[lineEnd + 1] === '\n') lineEnd += 1;
  return text[lineEnd] === '\n' ? { start: lineStart, end: lineEnd + 1 } : undefined;
}
