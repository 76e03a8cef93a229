import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { latestLabel } from '../../contract/label-names.ts';
import { maxPageLimit } from '../../contract/limits.ts';
import type { Version, VersionChoice } from '../../contract/versions.ts';
import { listPrompts } from '../../domain/prompts/list-prompts.ts';
import { getPromptDetails } from '../../domain/prompts/prompts.ts';
import { getVersion } from '../../domain/prompts/versions/versions.ts';
import { AppError } from '../../errors.ts';
import type { McpCall } from './call.ts';
import { parseUri, toUri, uriTemplates } from './resource-uris.ts';

/**
 * Lists all prompts of the workspace, regardless of their labels, because people use resources to read and edit prompts, not to run them.
 */
export async function listResources({ ctx, actor }: McpCall, cursor: string | undefined): Promise<ListResourcesResult> {
  const { data, nextCursor } = await listPrompts(ctx, actor, { limit: maxPageLimit, ...(cursor !== undefined && { cursor }) });
  return {
    resources: data.map(({ name, description }) => ({
      uri: toUri(name),
      name,
      title: name,
      ...(description !== '' && { description }),
      mimeType: 'application/json',
    })),
    ...(nextCursor !== null && { nextCursor }),
  };
}

export function listResourceTemplates(): ListResourceTemplatesResult {
  return {
    resourceTemplates: [
      {
        uriTemplate: uriTemplates.prompt,
        name: 'prompt',
        title: 'Prompt',
        description: 'A prompt with its labels, newest versions and source.',
        mimeType: 'application/json',
      },
      {
        uriTemplate: uriTemplates.version,
        name: 'prompt-version',
        title: 'Source of a version',
        description: 'The source of a prompt at a label or version number, not rendered.',
      },
    ],
  };
}

/**
 * Returns a prompt's labels and versions followed by its source. If the address contains a version, returns only the source of that
 * version.
 */
export async function readResource(call: McpCall, uri: string): Promise<ReadResourceResult> {
  const target = parseUri(uri);
  try {
    if (!target) throw new AppError('prompt_not_found');
    if (target.choice) return { contents: [await readSource(call, uri, target.name, target.choice)] };
    return { contents: await readPrompt(call, uri, target.name) };
  } catch (err) {
    if (!(err instanceof AppError) || err.status !== 404) throw err;
    call.error = err;
    throw new ResourceNotFoundError(uri.slice(0, maxEchoedCharacters), err.message);
  }
}

const maxEchoedCharacters = 1000;

async function readPrompt(call: McpCall, uri: string, name: string): Promise<ReadResourceResult['contents']> {
  const { ctx, actor, label } = call;
  const details = await getPromptDetails(ctx, actor, name);
  const choice = label === latestLabel || Object.hasOwn(details.labels, label) ? { label } : { label: latestLabel };
  const source = await readSource(call, `${toUri(details.name)}@${choice.label}`, name, choice);
  return [{ uri, mimeType: 'application/json', text: JSON.stringify(details) }, source];
}

async function readSource(call: McpCall, uri: string, name: string, choice: VersionChoice) {
  const { version, served } = await getVersion(call.ctx, call.actor, name, choice, {});
  call.servedPrompt = served;
  return { uri, ...sourceOf(version) };
}

function sourceOf({ template, messages }: Version): { mimeType: string; text: string } {
  if (template !== undefined) return { mimeType: 'text/x-liquid', text: template };
  return { mimeType: 'application/json', text: JSON.stringify(messages) };
}
