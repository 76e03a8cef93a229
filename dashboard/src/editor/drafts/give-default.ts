import { type Draft, syntaxOf } from './draft.ts';

/**
 * Gives a variable a default wherever a template outputs it, so that callers need not send it. Undefined if there is no such place: mustache
 * has no defaults, and the variable may be one of an included prompt.
 */
export function giveDefault(draft: Draft, variable: string, text: string): Draft | undefined {
  if (syntaxOf(draft) !== 'liquid' || !/^\w+$/.test(variable)) return undefined;
  const output = new RegExp(`(\\{\\{-?\\s*${variable}(?:\\.\\w+)*)(?=\\s*(?:\\||-?\\}\\}))`, 'g');
  const insert = (source: string) => source.replaceAll(output, (found) => `${found} | default: ${quote(text)}`);
  const changed = {
    ...draft,
    template: insert(draft.template),
    messages: draft.messages.map((message) => ('content' in message ? { ...message, content: insert(message.content) } : message)),
  };
  return JSON.stringify(changed) === JSON.stringify(draft) ? undefined : changed;
}

/** Strings of Liquid have no escapes. */
function quote(text: string): string {
  return text.includes('"') ? `'${text.replaceAll("'", '’')}'` : `"${text}"`;
}
