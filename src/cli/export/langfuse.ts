import { isPortable, replaceIncludes, toTag } from '../../contract/composition.ts';
import { listTemplates, mapContent } from '../../contract/message-content.ts';
import type { PromptLine, VersionLine } from '../../contract/transfer.ts';
import type { Messages } from '../../contract/versions.ts';
import { addToConfig } from '../../formats/config-parts.ts';
import { isPlainObject } from '../../formats/json-values.ts';
import { toLangfuseContent } from '../../formats/langfuse-content.ts';

/**
 * Converts the versions of an export to Langfuse's form, in the order in which they have to be saved in Langfuse. Each version is one line,
 * in the shape of `GET /api/public/v2/prompts/{name}?version=…&resolve=false`.
 */
export async function* toLangfuseLines(
  lines: AsyncIterable<string>,
  exported: { prompts: number; notes: string[] },
): AsyncGenerator<string> {
  let prompt: PromptLine | undefined;
  for await (const text of lines) {
    // The lines have these shapes, because the service wrote them.
    const line = JSON.parse(text) as PromptLine | (VersionLine & { deletedAt?: string }) | { kind?: 'case' | 'event' };
    if (line.kind === 'prompt') {
      prompt = line;
      exported.prompts += 1;
    }
    if (line.kind !== 'version' || !prompt) continue;
    if (line.deletedAt !== undefined) {
      exported.notes.push(`${prompt.name}: version ${line.version} is deleted, so Langfuse would use its number for the next version`);
      continue;
    }
    if (!isRenderable(line)) {
      exported.notes.push(`${prompt.name}: version ${line.version} uses Liquid, which the Langfuse SDKs do not render`);
    }
    if (isLost(line)) {
      exported.notes.push(
        `${prompt.name}: the config of version ${line.version} is not an object, so the declared variables, tools and output schema of this version are skipped`,
      );
    }
    yield `${JSON.stringify(toLangfuse(prompt, line))}\n`;
  }
}

/** Returns whether a version has declarations that Langfuse cannot store. In Langfuse, only the config can contain declarations. */
function isLost({ config, variables, tools, output }: VersionLine): boolean {
  return !isPlainObject(config) && Boolean(variables ?? tools ?? output);
}

function toLangfuse(prompt: PromptLine, line: VersionLine) {
  const { version, syntax, template, messages = [], config, message, createdAt, by, variables, tools, output } = line;
  const write = (text: string) => (syntax === 'mustache' ? text : replaceIncludes(text, syntax, toTag));
  return {
    name: prompt.name,
    type: prompt.type,
    version,
    prompt: template === undefined ? messages.map((item) => toItem(item, write)) : write(template),
    config: addToConfig(config, { variables, tools, output }),
    labels: Object.entries(prompt.labels).flatMap(([label, at]) => (at === version ? [label] : [])),
    tags: prompt.tags,
    commitMessage: message === '' ? null : message,
    createdAt,
    createdBy: by.name,
  };
}

function toItem(message: Messages[number], write: (text: string) => string) {
  if ('placeholder' in message) return { type: 'placeholder', name: message.placeholder };
  return { type: 'chatmessage', role: message.role, content: toLangfuseContent(mapContent(message.content, write)) };
}

function isRenderable({ syntax, template, messages = [] }: VersionLine): boolean {
  const texts =
    template === undefined
      ? messages.flatMap((item) => ('content' in item ? listTemplates(item.content).map(({ text }) => text) : []))
      : [template];
  return syntax === 'mustache' || texts.every((text) => isPortable(replaceIncludes(text, syntax, () => '')));
}
