import { mapContent } from '../../../../src/contract/message-content.ts';
import { type Draft, syntaxOf } from './draft.ts';

/**
 * Adds a default to a variable wherever a template outputs it, so that callers need not send the variable. Returns undefined if the
 * template never outputs the variable, or if its language is mustache, which has no defaults. The variable may belong to an included
 * prompt.
 */
export function giveDefault(draft: Draft, variable: string, text: string): Draft | undefined {
  if (syntaxOf(draft) !== 'liquid' || !/^\w+$/.test(variable)) return undefined;
  const output = new RegExp(`(\\{\\{-?\\s*${variable}(?:\\.\\w+)*)(?=\\s*(?:\\||-?\\}\\}))`, 'g');
  const insert = (source: string) => source.replaceAll(output, (found) => `${found} | default: ${quote(text)}`);
  const changed = {
    ...draft,
    template: insert(draft.template),
    messages: draft.messages.map((message) =>
      'content' in message ? { ...message, content: mapContent(message.content, insert) } : message,
    ),
  };
  return JSON.stringify(changed) === JSON.stringify(draft) ? undefined : changed;
}

/** Quotes text for Liquid, whose strings have no escapes. */
function quote(text: string): string {
  return text.includes('"') ? `'${text.replaceAll("'", '’')}'` : `"${text}"`;
}
