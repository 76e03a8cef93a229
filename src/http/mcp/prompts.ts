import type { GetPromptRequestParams, GetPromptResult, ListPromptsResult, Prompt } from '@modelcontextprotocol/server';
import type { Caller } from '../../contract/release-assignment.ts';
import type { VersionChoice } from '../../contract/versions.ts';
import { type CatalogEntry, listCatalog } from '../../domain/prompts/catalog.ts';
import { renderContent } from '../../domain/prompts/render/render.ts';
import type { RenderableVersion } from '../../domain/prompts/render/renderables.ts';
import { type Rendered, toMessages } from '../../domain/prompts/render/rendered.ts';
import { listSent, renderErrorsOf } from '../../domain/statistics/render-errors.ts';
import { describeShape, toVariables } from './arguments.ts';
import type { McpCall } from './call.ts';
import { readCallerMeta, toReleaseMeta } from './callers.ts';
import { toContentBlocks } from './content-blocks.ts';

export async function listPrompts({ ctx, actor, label }: McpCall, cursor: string | undefined): Promise<ListPromptsResult> {
  const { data, nextCursor } = await listCatalog(ctx, actor, { label, cursor });
  return { prompts: data.map(toPrompt), ...(nextCursor !== null && { nextCursor }) };
}

export async function getPrompt(call: McpCall, { name, arguments: given = {}, _meta }: GetPromptRequestParams): Promise<GetPromptResult> {
  const target = { name, choice: { label: call.label }, caller: readCallerMeta(_meta) };
  const { renderable, rendered } = await renderCounted(call, target, ({ declared }) => toVariables(declared, given));
  return { ...toPromptResult(renderable.description, rendered), ...toReleaseMeta(call.servedPrompt) };
}

/** Renders a version and records it for the statistics. A failure counts as one of the prompt's errors. */
export async function renderCounted(
  call: McpCall,
  { name, choice, caller }: { name: string; choice: VersionChoice; caller: Caller },
  variablesFor: (renderable: RenderableVersion) => Record<string, unknown>,
): Promise<{ renderable: RenderableVersion; rendered: Rendered }> {
  const { ctx, actor } = call;
  const renderable = await ctx.renderables.get(ctx, actor, name, choice, caller);
  const { promptId, version, label, release } = renderable;
  const served = { promptId, version, label, release, key: caller.key };
  call.servedPrompt = served;
  try {
    const variables = variablesFor(renderable);
    const rendered = await renderContent(ctx, actor, renderable, variables);
    call.servedPrompt = { ...served, sent: listSent(renderable, variables) };
    return { renderable, rendered };
  } catch (err) {
    call.servedPrompt = { ...served, renderErrors: renderErrorsOf(err) };
    throw err;
  }
}

/**
 * Converts a rendered prompt to messages of the protocol, which has only users and assistants. System, developer and tool messages become
 * user messages in the same place. A message of the protocol has one part, so a message with several parts becomes several messages.
 */
function toPromptResult(description: string, rendered: Rendered): GetPromptResult {
  return {
    ...(description !== '' && { description }),
    messages: toMessages(rendered).flatMap((message) =>
      toContentBlocks(message).map((content) => ({ role: message.role === 'assistant' ? 'assistant' : 'user', content })),
    ),
  };
}

function toPrompt({ name, description, variables, notes }: CatalogEntry): Prompt {
  return {
    name,
    title: name,
    ...(description !== '' && { description }),
    arguments: variables.map((variable) => ({
      name: variable.name,
      ...describeArgument([variable.description ?? notes.get(variable.name)?.description, describeShape(variable)]),
      required: variable.required,
    })),
  };
}

function describeArgument(parts: (string | undefined)[]): { description?: string } {
  const description = parts.filter((part) => part !== undefined && part !== '').join('. ');
  return description === '' ? {} : { description };
}
