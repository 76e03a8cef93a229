import type { Caller } from '../http/caller.ts';
import type { RequestOptions } from '../http/request.ts';
import { type StrictOptions, strictQuery } from '../http/strict.ts';
import type {
  CandidateApplication,
  CandidateChange,
  CommentChange,
  ListCandidatesQuery,
  ListDiscussionQuery,
  ListProposalsQuery,
  NewCandidate,
  NewComment,
  NewProposal,
} from '../types.ts';

interface Id {
  id: string;
}

/** `ph.candidates`: content of a prompt that people work on before it becomes a version. */
export function createCandidates({ call, list }: Caller) {
  return {
    list: (name: string, query: ListCandidatesQuery = {}, options?: RequestOptions) =>
      list('listCandidates', { path: { name }, query }, options),
    get: (name: string, { id }: Id, options?: RequestOptions) => call('getCandidate', { path: { name, id } }, options),
    create: (name: string, body: NewCandidate, options?: RequestOptions) => call('createCandidate', { path: { name }, body }, options),
    /** Replaces the content. Throws `candidate_changed` if the candidate is no longer at `revision`. */
    update: (name: string, { id, ...body }: CandidateChange & Id, options?: RequestOptions) =>
      call('changeCandidate', { path: { name, id }, body }, options),
    delete: (name: string, { id }: Id, options?: RequestOptions) => call('deleteCandidate', { path: { name, id } }, options),
    /** Saves the candidate as a new version. */
    apply: (name: string, { id, ...body }: CandidateApplication & Id, { strict, ...options }: StrictOptions = {}) =>
      call('applyCandidate', { path: { name, id }, query: strictQuery(strict), body }, options),
  };
}

/** `ph.comments`: comments on proposals, versions and candidates, and on their lines. */
export function createComments({ call, list }: Caller) {
  return {
    /** Lists the comments on a proposal or on the contents of a prompt, thread by thread. */
    list: (query: ListDiscussionQuery, options?: RequestOptions) => list('listDiscussion', { query }, options),
    add: (body: NewComment, options?: RequestOptions) => call('addComment', { body }, options),
    /** Changes the text of one's own comment, or resolves or reopens a thread. */
    update: ({ id, ...body }: CommentChange & Id, options?: RequestOptions) => call('changeComment', { path: { id }, body }, options),
    delete: ({ id }: Id, options?: RequestOptions) => call('deleteComment', { path: { id } }, options),
  };
}

/** `ph.proposals`: moves of labels that others can review before they happen. */
export function createProposals({ call, list }: Caller) {
  return {
    list: (query: ListProposalsQuery = {}, options?: RequestOptions) => list('listProposals', { query }, options),
    get: ({ id }: Id, options?: RequestOptions) => call('getProposal', { path: { id } }, options),
    open: (body: NewProposal, options?: RequestOptions) => call('openProposal', { body }, options),
    /** Moves all labels of the proposal, if it has all approvals and is still at `revision`. */
    apply: ({ id, revision }: Id & { revision: string }, options?: RequestOptions) =>
      call('applyProposal', { path: { id }, body: { revision } }, options),
    withdraw: ({ id }: Id, options?: RequestOptions) => call('withdrawProposal', { path: { id } }, options),
  };
}
