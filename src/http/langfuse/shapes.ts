import { latestLabel, productionLabel } from '../../contract/label-names.ts';
import type { LangfuseContent, LangfusePrompt, NewLangfusePrompt, ResolutionGraph } from '../../contract/langfuse.ts';
import type { Prompt } from '../../contract/prompts.ts';
import type { Messages, Version } from '../../contract/versions.ts';
import type { Actor } from '../../domain/actor.ts';
import type { listNumberedPage } from '../../domain/prompts/numbered-pages.ts';
import { declarationsOf } from '../../domain/prompts/versions/declarations.ts';
import { versionId } from '../../domain/prompts/versions/portable-version.ts';
import { invalidField } from '../../errors.ts';
import { addToConfig } from '../../formats/config-parts.ts';
import { takeFromLangfuseConfig } from '../../formats/langfuse-config.ts';
import { fromLangfuseContent, toLangfuseContent } from '../../formats/langfuse-content.ts';

/** Returns a version in Langfuse's shape, in which `latest` is one of the labels. */
export function toLangfusePrompt({ workspaceId }: Actor, prompt: Prompt, version: Version, graph?: ResolutionGraph): LangfusePrompt {
  const isLatest = version.version === prompt.latestVersion;
  return {
    id: versionId(prompt.id, version.version),
    projectId: workspaceId,
    name: version.name,
    type: version.type,
    version: version.version,
    prompt: version.template ?? (version.messages ?? []).map(toItem),
    config: addToConfig(version.config, declarationsOf(version)),
    labels: [...version.labels, ...(isLatest ? [latestLabel] : [])],
    tags: prompt.tags,
    commitMessage: version.message === '' ? null : version.message,
    createdAt: version.createdAt,
    updatedAt: prompt.updatedAt,
    createdBy: version.by.name,
    isActive: version.labels.includes(productionLabel),
    resolutionGraph: graph ?? null,
  };
}

/** Converts the request with which Langfuse's SDKs create a prompt to the input of the service's own `savePrompt`. */
export function parseNewPrompt(body: NewLangfusePrompt) {
  const { name, prompt, config, labels, tags, commitMessage } = body;
  const type = body.type ?? (typeof prompt === 'string' ? 'text' : 'chat');
  if ((type === 'text') !== (typeof prompt === 'string')) {
    throw invalidField(
      '/prompt',
      type === 'text' ? 'The content of a text prompt must be a string' : 'The content of a chat prompt must be an array of messages',
    );
  }
  const texts = typeof prompt === 'string' ? { template: prompt } : { messages: toMessages(prompt) };
  return {
    name,
    type,
    syntax: 'mustache' as const,
    ...texts,
    ...takeFromLangfuseConfig(config ?? {}, texts),
    // The label `latest` always points at the newest version, so setting it changes nothing.
    labels: [...new Set(labels ?? [])].filter((label) => label !== latestLabel),
    tags: tags ? [...new Set(tags)] : undefined,
    message: commitMessage ?? '',
  };
}

/** Serializes a list in Langfuse's shape. The configs are not parsed, because they may be large. */
export function serializeList(
  { prompts, total }: Awaited<ReturnType<typeof listNumberedPage>>,
  page: { page: number; limit: number },
): string {
  const items = prompts.map(({ prompt, versions, labels, lastConfig }) => {
    const { name, type, tags, updatedAt } = prompt;
    const item = JSON.stringify({ name, type, versions, labels, tags, lastUpdatedAt: updatedAt });
    return `${item.slice(0, -1)},"lastConfig":${lastConfig}}`;
  });
  const meta = JSON.stringify({ ...page, totalItems: total, totalPages: Math.ceil(total / page.limit) });
  return `{"data":[${items.join(',')}],"meta":${meta},"pagination":${meta}}`;
}

function toItem(message: Messages[number]) {
  if ('placeholder' in message) return { type: 'placeholder' as const, name: message.placeholder };
  return { type: 'chatmessage' as const, role: message.role, content: toLangfuseContent(message.content) };
}

function toMessages(items: Exclude<LangfuseContent, string>): Messages {
  return items.map((item) =>
    item.type === 'placeholder' ? { placeholder: item.name } : { role: item.role, content: fromLangfuseContent(item.content) },
  );
}
