import type { RenderedMessage } from '../../../client/src/types.ts';
import { showContent } from '../../contract/message-content.ts';
import { fromModelContent } from '../../formats/model-parts.ts';
import { hasOption, type Input, textOf, textsOf } from '../command.ts';
import { connect } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { readJsonObject } from '../read-json.ts';
import { paint, print, printJson } from '../terminal.ts';
import { callerOf, choiceOf } from './choice.ts';
import { noteRelease } from './release-report.ts';

/** Renders a prompt in the service, as programs do. */
export async function render(input: Input): Promise<void> {
  const [name = ''] = input.args;
  const choice = choiceOf(input);
  const caller = callerOf(input);
  const variables = await readVariables(input);
  const ph = await connect(input);
  const rendered = await ph.prompts.render(name, { variables, ...choice, ...caller });
  noteRelease(rendered);
  if (hasOption(input, 'json')) return printJson(rendered);
  if (rendered.text !== undefined) return print(rendered.text);
  for (const message of rendered.messages ?? []) print(`${paint('bold', `[${message.role}]`)}\n${showMessage(message)}\n`);
}

/** Shows a message: its text, a line for each part that is not text, and its tool calls as JSON. */
function showMessage({ role: _, content, ...rest }: RenderedMessage): string {
  const parts = fromModelContent(content ?? '');
  const more = Object.keys(rest).length > 0 ? [JSON.stringify(rest)] : [];
  return [parts === undefined ? JSON.stringify(content) : showContent(parts), ...more].filter((text) => text !== '').join('\n');
}

async function readVariables(input: Input): Promise<Record<string, unknown>> {
  const file = textOf(input, 'vars');
  const variables = file === undefined ? {} : await readJsonObject(file);
  for (const pair of textsOf(input, 'var')) {
    const at = pair.indexOf('=');
    if (at < 1) throw new UsageError(`-v expects name=value, but got "${pair}".`);
    variables[pair.slice(0, at)] = parseValue(pair.slice(at + 1));
  }
  return variables;
}

/** Parses a value that is valid JSON, and returns any other value as text. */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
