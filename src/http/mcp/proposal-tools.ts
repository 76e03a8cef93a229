import { Type } from 'typebox';
import { NewComment } from '../../contract/comments.ts';
import { Label } from '../../contract/labels.ts';
import { maxCandidateTitleLength, maxPageLimit } from '../../contract/limits.ts';
import { type NewChange, NewProposal, type Proposal, ProposalQuery } from '../../contract/proposals.ts';
import { ProposedRelease } from '../../contract/releases.ts';
import { VersionNumber, versionInput } from '../../contract/versions.ts';
import { createCandidate, deleteCandidate } from '../../domain/candidates/candidates.ts';
import { addComment, listDiscussion } from '../../domain/comments/comments.ts';
import { inWorkspace } from '../../domain/links.ts';
import { getProposal, listProposals } from '../../domain/proposals/list-proposals.ts';
import { openProposal } from '../../domain/proposals/proposals.ts';
import { type AppError, invalidField } from '../../errors.ts';
import type { McpCall } from './call.ts';
import { defineTool, Name } from './tool.ts';

const Id = Type.String({ maxLength: 100, description: 'The id of the proposal. It starts with prop_.' });
const { labels: _, message: __, ...content } = versionInput;
const { message, reviewers, applyAt } = NewProposal.properties;
const { state, waiting, cursor } = ProposalQuery.properties;
const { text, version, candidate, anchor, replyTo } = NewComment.properties;
const adding = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };

/** The tools that read proposals. */
export const proposalReadingTools = [
  defineTool({
    name: 'list_proposals',
    title: 'List proposals',
    description: 'Lists the proposals of the workspace, newest first, with their states, reviews and missing approvals.',
    operation: 'listProposals',
    input: Type.Object({ name: Type.Optional(Name), state, waiting, cursor }, { additionalProperties: false }),
    annotations: { readOnlyHint: true },
    async run(call, { name, ...query }) {
      const { data, nextCursor } = await listProposals(call.ctx, call.actor, { ...query, ...(name !== undefined && { prompt: name }) });
      return { proposals: data.map((proposal) => withUrl(call, proposal)), ...(nextCursor !== null && { nextCursor }) };
    },
  }),
  defineTool({
    name: 'get_proposal',
    title: 'Get a proposal',
    description: 'Returns a proposal with its changes, state, reviews, missing approvals and first comments, grouped by thread.',
    operation: 'getProposal',
    input: Type.Object({ id: Id }, { additionalProperties: false }),
    annotations: { readOnlyHint: true },
    async run(call, { id }) {
      const proposal = await getProposal(call.ctx, call.actor, id);
      const { data: comments } = await listDiscussion(call.ctx, call.actor, { proposal: id, limit: maxPageLimit });
      return { ...withUrl(call, proposal), ...(comments.length > 0 && { comments }) };
    },
  }),
];

/** The tools that open proposals and comment on them. No tool approves a proposal, because only people approve. */
export const proposalWritingTools = [
  defineTool({
    name: 'propose_change',
    title: 'Propose a change',
    description:
      'Proposes to move a label, for people to review. Nothing changes until a person has approved and applied the proposal. Send exactly one ' +
      'of version, candidate and release, or new content as template or messages, which is saved as a candidate.',
    operation: 'openProposal',
    input: Type.Object(
      {
        ...{ name: Name, label: Label },
        version: Type.Optional(Type.Integer({ ...VersionNumber, description: 'The version to move the label to.' })),
        candidate: Type.Optional(Type.String({ maxLength: 100, description: 'The id of a candidate to make a version from.' })),
        release: Type.Optional(ProposedRelease),
        ...content,
        ...{ message, reviewers, applyAt },
      },
      { additionalProperties: false },
    ),
    annotations: adding,
    async run(call, { name, label, version, candidate, release, message: reason, reviewers: asked, applyAt: time, ...proposed }) {
      const { ctx, actor } = call;
      const change = (target: Omit<NewChange, 'prompt' | 'label'>) =>
        openProposal(ctx, actor, {
          changes: [{ prompt: name, label, ...target }],
          ...{ ...(reason !== undefined && { message: reason }), ...(asked && { reviewers: asked }), ...(time && { applyAt: time }) },
        });
      const hasTarget = version !== undefined || candidate !== undefined || release !== undefined;
      if (Object.keys(proposed).length > 0) {
        if (hasTarget) throw invalidField('/template', 'Send either new content, or one of version, candidate and release');
        const saved = await createCandidate(ctx, actor, name, { title: toTitle(reason, label), ...proposed });
        try {
          const proposal = await change({ candidate: saved.id });
          return { ...withUrl(call, proposal), ...(saved.warnings.length > 0 && { warnings: saved.warnings }) };
        } catch (err) {
          // Without a proposal, nobody would look for this candidate.
          await deleteCandidate(ctx, actor, { name, id: saved.id });
          throw err;
        }
      }
      return withUrl(
        call,
        await change({
          ...(version !== undefined && { version }),
          ...(candidate !== undefined && { candidate }),
          ...(release && { release }),
        }),
      );
    },
  }),
  defineTool({
    name: 'comment_on_proposal',
    title: 'Comment on a proposal',
    description:
      'Adds a comment to a proposal. With name and either version or candidate, the comment is about that content. With anchor, it is about one of ' +
      'its lines. With replyTo, it is a reply. A comment neither approves nor declines. Only people can do that, in the dashboard.',
    operation: 'addComment',
    input: Type.Object({ id: Id, text, name: Type.Optional(Name), version, candidate, anchor, replyTo }, { additionalProperties: false }),
    annotations: adding,
    run: async ({ ctx, actor }, { id, name, replyTo, ...comment }) =>
      addComment(ctx, actor, {
        ...comment,
        // A reply belongs to the proposal of its thread.
        ...(replyTo === undefined ? { proposal: id } : { replyTo }),
        ...(name !== undefined && { prompt: name }),
      }),
  }),
];

/**
 * Describes the call to `propose_change` that proposes the refused change. Returns undefined if the error is not about a missing approval.
 */
export function findProposalHint({ code, proposal }: AppError): string | undefined {
  if (code !== 'approval_required') return undefined;
  const [change] = proposal?.changes ?? [];
  if (change) {
    const { prompt: name, ...target } = change;
    const call = JSON.stringify({ name, ...target });
    return `Nothing has changed. Call propose_change with ${call}, and with a message that says why. A person then decides.`;
  }
  return 'Call propose_change with the same content, and with the label as "label" instead of "labels". If the prompt is new, save it without labels first.';
}

/** Adds the address of the dashboard's page, if the service knows its own address. */
function withUrl({ ctx, actor }: McpCall, proposal: Proposal): Proposal & { url?: string } {
  if (ctx.publicOrigin === undefined) return proposal;
  return { ...proposal, url: ctx.publicOrigin + inWorkspace(`/dashboard/proposals/${proposal.id}`, actor.workspaceId) };
}

function toTitle(reason: string | undefined, label: string): string {
  const [line = ''] = (reason ?? '').trim().split(/\r?\n/);
  return line === '' ? `Change for ${label}` : [...line].slice(0, maxCandidateTitleLength).join('');
}
