import { NewProposal, NewReview, Proposal, ProposalApplication, ProposalList, ProposalQuery } from '../../contract/proposals.ts';
import { applyProposal } from '../../domain/proposals/apply-proposal.ts';
import { getProposal, listProposals } from '../../domain/proposals/list-proposals.ts';
import { openProposal, reviewProposal, withdrawProposal } from '../../domain/proposals/proposals.ts';
import { actorOf } from '../middleware/authentication.ts';
import type { Routes } from './route.ts';

/** Proposals: moves of labels that others can review before they happen. */
export const proposalRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Proposals' });

  route('GET', '/api/proposals', {
    operationId: 'listProposals',
    summary: 'List proposals, newest first',
    querystring: ProposalQuery,
    response: { 200: ProposalList },
    handler: (req) => listProposals(ctx, actorOf(req), req.query),
  });

  route('POST', '/api/proposals', {
    operationId: 'openProposal',
    summary: 'Open a proposal',
    description:
      'A proposal moves one or more labels, each to a version, to a candidate or to a release. Nothing changes until it is applied. A workspace ' +
      'can have up to 500 open proposals. A proposal expires after 90 days without activity.',
    body: NewProposal,
    response: { 201: Proposal },
    handler: (req) => openProposal(ctx, actorOf(req), req.body),
  });

  route('GET', '/api/proposals/:id', {
    operationId: 'getProposal',
    summary: 'Get a proposal',
    response: { 200: Proposal },
    handler: (req) => getProposal(ctx, actorOf(req), req.params.id),
  });

  route('POST', '/api/proposals/:id/reviews', {
    operationId: 'reviewProposal',
    summary: 'Approve or decline a proposal',
    description:
      'Only people who may move the labels can approve or decline, and only in the dashboard. By default, the approvals of those who wrote the content or ' +
      'opened the proposal do not count.',
    body: NewReview,
    response: { 201: Proposal },
    errors: [409],
    handler: (req) => reviewProposal(ctx, actorOf(req), { ...req.params, ...req.body }),
  });

  route('POST', '/api/proposals/:id/apply', {
    operationId: 'applyProposal',
    summary: 'Apply a proposal',
    description:
      'All labels move in one transaction, or none. The response is 409 if approvals are missing or if its effect has changed since `revision`.',
    body: ProposalApplication,
    response: { 200: Proposal },
    errors: [409],
    handler: (req) => applyProposal(ctx, actorOf(req), { ...req.params, ...req.body }),
  });

  route('POST', '/api/proposals/:id/withdraw', {
    operationId: 'withdrawProposal',
    summary: 'Withdraw a proposal',
    description: 'The person or program that opened the proposal can withdraw it, and so can everyone who may approve or decline it.',
    response: { 200: Proposal },
    errors: [409],
    handler: (req) => withdrawProposal(ctx, actorOf(req), req.params.id),
  });
};
