import { createHash } from 'node:crypto';
import { isLabel, latestLabel, productionLabel } from '../../contract/label-names.ts';
import { EvaluatedFlag, EvaluatedFlags, EvaluationError, EvaluationRequest, flagSeparator } from '../../contract/ofrep.ts';
import type { Caller } from '../../contract/release-assignment.ts';
import type { Actor } from '../../domain/actor.ts';
import { evaluatePrompt, evaluatePrompts } from '../../domain/releases/evaluations.ts';
import { AppError } from '../../errors.ts';
import { version as serviceVersion } from '../../version.ts';
import { actorOf } from '../middleware/authentication.ts';
import { matchesEtag } from '../responses/response-cache.ts';
import type { Routes } from '../routes/route.ts';
import { flagsPath } from './paths.ts';
import { toFlag, toFlags } from './shapes.ts';

/** OpenFeature's remote evaluation, in which a flag is a prompt at a label. docs/releases.md describes it for users. */
export const ofrepRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'OpenFeature', security: [{ key: [] }, { apiKey: [] }], errorBody: EvaluationError });

  route('POST', `${flagsPath}/*`, {
    operationId: 'evaluateFlag',
    summary: 'Evaluate a prompt as a flag',
    description:
      'Implements the OpenFeature Remote Evaluation Protocol (OFREP). The value is the content of the version that ' +
      '`GET /api/prompts/{name}` returns for the same key and context. A prompt without a release has one value for all callers.',
    body: EvaluationRequest,
    response: { 200: EvaluatedFlag },
    handler: async (req) => {
      const key = req.params['*'];
      const caller = readCaller(req.body);
      const evaluation = await evaluatePrompt(ctx, actorOf(req), { ...readFlag(key), caller }).catch(rethrowUnresolved);
      const { promptId, version, label, release } = evaluation;
      const served = { promptId, version, label, release, key: caller.key };
      req.servedPrompt = served;
      return toFlag(key, evaluation);
    },
  });

  route('POST', flagsPath, {
    operationId: 'evaluateFlags',
    summary: 'Evaluate all prompts as flags',
    description:
      'Evaluates all prompts with the label `production`, up to 500 prompts and 1,000,000 characters. The response has an `ETag`: send it as ' +
      '`If-None-Match` with the same context, and the response is 304 as long as nothing in the workspace has changed.',
    body: EvaluationRequest,
    response: { 200: EvaluatedFlags },
    handler: async (req, reply) => {
      const actor = actorOf(req);
      const caller = readCaller(req.body);
      const etag = etagOf(actor, caller);
      reply.header('etag', etag);
      if (matchesEtag(req.headers['if-none-match'], etag)) return reply.status(304).send();
      return toFlags(await evaluatePrompts(ctx, actor, caller));
    },
  });
};

function readFlag(key: string): { name: string; label: string } {
  const [name = '', label = productionLabel, ...rest] = key.split(flagSeparator);
  if (rest.length > 0 || (label !== latestLabel && !isLabel(label))) throw new AppError('prompt_not_found');
  return { name, label };
}

/** Returns the caller that an evaluation context describes. Some clients send an empty key if they have none. */
function readCaller({ context }: NonNullable<EvaluationRequest> = {}): Caller {
  const { targetingKey, ...attributes } = context ?? {};
  return { key: targetingKey || undefined, context: attributes };
}

/**
 * Returns a tag that changes with every write to the workspace's prompts. The tag is weak for the same reason as the one in
 * `response-cache.ts`.
 */
function etagOf({ workspaceId, revision }: Actor, caller: Caller): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([serviceVersion, workspaceId, revision, caller]))
    .digest('base64url');
  return `W/"${hash.slice(0, 32)}"`;
}

/** Rethrows an error about missing includes as a 400, because clients of OpenFeature do not know the status 422. */
function rethrowUnresolved(err: unknown): never {
  if (err instanceof AppError && err.code === 'unresolved_partial') throw new AppError('bad_request', { text: err.message, cause: err });
  throw err;
}
