import {
  Candidate,
  CandidateApplication,
  CandidateChange,
  CandidateList,
  NewCandidate,
  SavedCandidate,
} from '../../contract/candidates.ts';
import { PageQuery } from '../../contract/lists.ts';
import { SavedVersion } from '../../contract/versions.ts';
import { StrictQuery } from '../../contract/warnings.ts';
import {
  applyCandidate,
  changeCandidate,
  createCandidate,
  deleteCandidate,
  getCandidate,
  listCandidates,
} from '../../domain/candidates/candidates.ts';
import { actorOf } from '../middleware/authentication.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

/** The candidates of a prompt: content that several people can work on before it becomes a version. */
export const candidateRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Candidates' });

  route('GET', '/api/prompts/:name/candidates', {
    operationId: 'listCandidates',
    summary: 'List candidates, oldest first',
    querystring: PageQuery,
    response: { 200: CandidateList },
    handler: (req) => listCandidates(ctx, actorOf(req), req.params.name, req.query),
  });

  route('POST', '/api/prompts/:name/candidates', {
    operationId: 'createCandidate',
    summary: 'Create a candidate',
    description:
      'A candidate is content without a version number, which every editor in the workspace can change. A prompt can have up to 50 candidates. ' +
      'Their size counts toward the content quota of the workspace.',
    body: NewCandidate,
    response: { 201: SavedCandidate },
    errors: [409],
    handler: (req) => createCandidate(ctx, actorOf(req), req.params.name, req.body),
  });

  route('GET', '/api/prompts/:name/candidates/:id', {
    operationId: 'getCandidate',
    summary: 'Get a candidate',
    response: { 200: Candidate },
    handler: (req) => getCandidate(ctx, actorOf(req), req.params),
  });

  route('PUT', '/api/prompts/:name/candidates/:id', {
    operationId: 'changeCandidate',
    summary: 'Replace the content of a candidate',
    description: 'If someone has changed the candidate since `revision`, the response is 409 `candidate_changed`.',
    body: CandidateChange,
    response: { 200: SavedCandidate },
    errors: [409],
    handler: (req) => changeCandidate(ctx, actorOf(req), { ...req.params, ...req.body }),
  });

  route('DELETE', '/api/prompts/:name/candidates/:id', {
    operationId: 'deleteCandidate',
    summary: 'Delete a candidate',
    response: noContent,
    handler: (req) => deleteCandidate(ctx, actorOf(req), req.params),
  });

  route('POST', '/api/prompts/:name/candidates/:id/apply', {
    operationId: 'applyCandidate',
    summary: 'Save a candidate as a new version',
    description:
      'The candidate is deleted. The author of the version is the person who last changed the candidate. If a newer version than `baseVersion` was saved, ' +
      'the response is 409 `version_conflict`: change the candidate, with the newest version as its `baseVersion`.',
    querystring: StrictQuery,
    body: CandidateApplication,
    response: { 201: SavedVersion },
    errors: [409],
    handler: (req) => applyCandidate(ctx, actorOf(req), { ...req.params, ...req.body }, { isStrict: req.query.strict === 'true' }),
  });
};
