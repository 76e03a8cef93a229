import type { Caller } from '../../contract/release-assignment.ts';
import type { VersionChoice } from '../../contract/versions.ts';
import { AppError, invalidField } from '../../errors.ts';
import { noVersion } from '../../store/models/checks.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { toStorable } from '../ids.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';
import { prepareRenderable, type RenderableVersion, type WithRenderables } from '../prompts/render/renderables.ts';
import { parseStoredAnalysis, parseStoredContent } from '../prompts/versions/version-content.ts';
import type { WithTemplates } from '../templates/templates.ts';

/** A version, or a candidate in the form of a version. */
interface Subject {
  renderable: RenderableVersion;
  candidate?: { id: string; title: string; revision: number };
}

/** Loads the version or the candidate that a request names. If a caller is given, a release of the label chooses the version. */
export async function loadSubject(
  ctx: WithStore & WithTemplates & WithRenderables,
  actor: Actor,
  name: string,
  { candidate, ...choice }: VersionChoice & { candidate?: string | undefined },
  caller?: Caller,
): Promise<Subject> {
  if (candidate === undefined) return { renderable: await ctx.renderables.get(ctx, actor, name, choice, caller) };
  if (choice.label !== undefined || choice.version !== undefined) {
    throw invalidField('/candidate', 'Send only one of label, version and candidate');
  }
  return loadCandidate(ctx, actor, { name, id: candidate });
}

/** Loads a candidate in the form in which versions are rendered. */
export async function loadCandidate(
  ctx: WithStore & WithTemplates,
  actor: Actor,
  { name, id }: { name: string; id: string },
): Promise<Required<Subject>> {
  const prompt = await getPromptRecord(ctx.store, actor, name);
  const owner = { accountId: actor.workspaceId, promptId: prompt.id };
  const record = await ctx.store.read(actor.workspaceId).candidates.find(owner, toStorable(id));
  if (!record) throw new AppError('candidate_not_found');
  const content = parseStoredContent(prompt.type, record);
  const renderable = await prepareRenderable(ctx, actor, { content, name, ...parseStoredAnalysis(record) });
  const { id: promptId, description } = prompt;
  const version = { promptId, name, description, version: noVersion, label: undefined, configJson: record.config };
  return { renderable: { ...renderable, ...version }, candidate: { id: record.id, title: record.title, revision: record.revision } };
}
