import { readFile } from 'node:fs/promises';
import { text as readStream } from 'node:stream/consumers';
import { hasOption, type Input, textOf, textsOf } from '../command.ts';
import { connect } from '../connection.ts';
import { messageOf, UsageError } from '../errors.ts';
import { paint, print, printJson } from '../terminal.ts';
import { choiceOf } from './choice.ts';

/** Renders a prompt in the service, as programs do. */
export async function render(input: Input): Promise<void> {
  const [name = ''] = input.args;
  const choice = choiceOf(input);
  const variables = await readVariables(input);
  const ph = await connect(input);
  const rendered = await ph.prompts.render(name, { variables, ...choice });
  if (hasOption(input, 'json')) return printJson(rendered);
  if (rendered.text !== undefined) return print(rendered.text);
  for (const { role, content } of rendered.messages ?? []) print(`${paint('bold', `[${role}]`)}\n${content}\n`);
}

async function readVariables(input: Input): Promise<Record<string, unknown>> {
  const file = textOf(input, 'vars');
  const variables = file === undefined ? {} : await readJson(file);
  for (const pair of textsOf(input, 'var')) {
    const at = pair.indexOf('=');
    if (at < 1) throw new UsageError(`-v expects name=value, but got "${pair}".`);
    variables[pair.slice(0, at)] = parseValue(pair.slice(at + 1));
  }
  return variables;
}

async function readJson(file: string): Promise<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(file === '-' ? await readStream(process.stdin) : await readFile(file, 'utf8'));
  } catch (err) {
    throw new UsageError(`The variables cannot be read from ${file}: ${messageOf(err)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new UsageError(`${file} must contain a JSON object.`);
  return { ...value };
}

/** Parses a value that is valid JSON, and returns any other value as text. */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
