import type { CompleteRequestParams, CompleteResult } from '@modelcontextprotocol/server';
import { latestLabel } from '../../contract/label-names.ts';
import { maxPromptNameLength } from '../../contract/limits.ts';
import { listCaseValues } from '../../domain/cases/cases.ts';
import { listPrompts } from '../../domain/prompts/list-prompts.ts';
import { getPromptDetails } from '../../domain/prompts/prompts.ts';
import { readVariableNotes } from '../../domain/prompts/variable-notes.ts';
import type { McpCall } from './call.ts';
import { uriTemplates } from './resource-uris.ts';

/** The maximum number of values that the protocol allows. */
const maxValues = 100;

/**
 * Suggests values for an argument from the prompt's config and its test cases. For the name in a resource's address, suggests prompt names.
 */
export async function complete(call: McpCall, { ref, argument, context }: CompleteRequestParams): Promise<CompleteResult> {
  if (ref.type === 'ref/prompt') return toResult(await listValues(call, ref.name, argument.name), argument.value);
  const isKnown = Object.values(uriTemplates).includes(ref.uri);
  if (isKnown && argument.name === 'name') return completeName(call, argument.value);
  if (ref.uri === uriTemplates.version && argument.name === 'version') {
    return toResult(await listLabels(call, context?.arguments?.name), argument.value);
  }
  return toResult([], '');
}

async function listValues({ ctx, actor, label }: McpCall, name: string, variable: string): Promise<string[]> {
  const { configJson, declared, promptId } = await ctx.renderables.get(ctx, actor, name, { label });
  const own = declared.find((each) => each.name === variable)?.values;
  const listed = own ?? readVariableNotes(JSON.parse(configJson)).get(variable)?.values ?? [];
  return [...new Set([...listed, ...(await listCaseValues(ctx, actor, promptId, variable))])];
}

async function listLabels({ ctx, actor }: McpCall, name: string | undefined): Promise<string[]> {
  if (name === undefined) return [];
  const { labels } = await getPromptDetails(ctx, actor, name);
  return [...Object.keys(labels), latestLabel];
}

async function completeName({ ctx, actor }: McpCall, value: string): Promise<CompleteResult> {
  const search = value.slice(0, maxPromptNameLength).toWellFormed();
  const { data, nextCursor } = await listPrompts(ctx, actor, { limit: maxValues, ...(search !== '' && { search, searchIn: 'name' }) });
  return { completion: { values: data.map(({ name }) => name), hasMore: nextCursor !== null } };
}

function toResult(values: string[], typed: string): CompleteResult {
  const start = typed.toLowerCase();
  const matching = values.filter((value) => value.toLowerCase().startsWith(start));
  return { completion: { values: matching.slice(0, maxValues), total: matching.length, hasMore: matching.length > maxValues } };
}
