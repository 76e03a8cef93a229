import { type Draft, unsavedContentOf } from '../editor/drafts/draft.ts';
import { call } from '../lib/api.ts';
import type { Message, PromptType } from '../lib/types.ts';
import { type ModelChoice, type RunInput, type RunSource, toRunInput } from './run-input.ts';
import type { RunState } from './runner.ts';

/** A message in the form of OpenAI's chat completions. */
export type Turn = Record<string, unknown> & { role: string };

/** The content and the values with which a conversation started. They are kept, so that the conversation can continue from there. */
export interface Start {
  source: RunSource;
  type: PromptType;
  draft: Draft;
  values: Record<string, unknown>;
}

/** A conversation next to the editor: its start, and the messages after the start, except for the output that is shown. */
export interface Conversation {
  start: Start;
  turns: Turn[];
}

/** Returns the output of a run as the model's message. */
export function toTurn({ output, toolCalls }: Pick<RunState, 'output' | 'toolCalls'>): Turn {
  return { role: 'assistant', content: output.text === '' ? null : output.text, ...(toolCalls.length > 0 && { tool_calls: toolCalls }) };
}

/**
 * Returns values with which the prompt renders to the conversation, or undefined if this is impossible. It is possible if the last message
 * of the prompt is a placeholder. It is also possible if the only message after the placeholder is the text of a variable. The variable is
 * then the person's next message, and earlier messages fill the placeholder.
 */
export function valuesOfConversation({ start: { type, draft, values }, turns }: Conversation): Record<string, unknown> | undefined {
  if (type === 'text') return undefined;
  const last = draft.messages.at(-1);
  if (last && 'placeholder' in last) return { ...values, [last.placeholder]: [...listOf(values[last.placeholder]), ...turns] };
  const before = draft.messages.at(-2);
  const variable = last && variableOf(last);
  const next = turns.at(-1);
  if (!before || !('placeholder' in before) || variable === undefined || next?.role !== 'user') return undefined;
  const first = { role: 'user', content: values[variable] };
  const history = [...listOf(values[before.placeholder]), first, ...turns.slice(0, -1)];
  return { ...values, [before.placeholder]: history, [variable]: next.content };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the variable that makes up the whole content of a user's message. */
function variableOf(message: Message): string | undefined {
  if (!('content' in message) || message.role !== 'user' || typeof message.content !== 'string') return undefined;
  return /^\s*\{\{-?\s*(\w+)\s*-?\}\}\s*$/.exec(message.content)?.[1];
}

/** Returns the request that runs the prompt with the conversation so far. */
export async function toConversationInput(conversation: Conversation, choice: ModelChoice): Promise<RunInput> {
  const { start, turns } = conversation;
  const { source, type, draft } = start;
  if (turns.length === 0) return toRunInput(source, { ...choice, values: start.values });
  const values = valuesOfConversation(conversation);
  if (values) return toRunInput(source, { ...choice, values });
  const name = source.promptName;
  const content = unsavedContentOf(type, draft);
  const rendered = await call('previewPrompt', { body: { ...content, ...(name !== undefined && { name }), variables: start.values } });
  const first = rendered.messages ?? [{ role: 'user', content: rendered.text ?? '' }];
  // The messages are passed as the value of a variable, because braces in them are not templates.
  const variable = newName(Object.keys(start.values));
  const whole: Draft = { ...draft, syntax: 'liquid', template: '', messages: [{ placeholder: variable }] };
  return toRunInput(
    { promptName: name, type: 'chat', draft: whole },
    { ...choice, values: { ...start.values, [variable]: [...first, ...turns] } },
  );
}

function newName(taken: string[]): string {
  let name = 'conversation';
  for (let number = 2; taken.includes(name); number += 1) name = `conversation_${number}`;
  return name;
}
