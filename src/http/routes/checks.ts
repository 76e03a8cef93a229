import { Check, CheckList, CheckListQuery, CheckRequest } from '../../contract/checks.ts';
import { getCheckJson, listChecks } from '../../domain/checks/check-history.ts';
import { type CheckListener, runChecks } from '../../domain/checks/checks.ts';
import { AppError } from '../../errors.ts';
import { actorOf } from '../middleware/authentication.ts';
import { createRunResponse } from '../responses/run-response.ts';
import type { Routes } from './route.ts';

/** The content type of responses that are already serialized. */
const jsonType = 'application/json; charset=utf-8';

/** Check runs: the test cases of a prompt, run with one version. */
export const checkRoutes: Routes = ({ ctx, sessionCookie, eventStreams, createRoute }) => {
  const route = createRoute({ tag: 'Test cases and checks' });

  route('POST', '/api/prompts/:name/checks', {
    operationId: 'runChecks',
    summary: 'Run all test cases on a version',
    description:
      'Responds with server-sent events: `case` `{done, total, case}` for each test case, then `done` with the summary, or `error`. With ' +
      '`Accept: application/json`, there is a single JSON response. If the client disconnects or loses access, the check run is ' +
      'canceled. A check run can take up to an hour. A workspace can have two check runs in progress.',
    body: CheckRequest,
    response: { 200: Check },
    errors: [409, 422],
    handler: async (req, reply) => {
      const response = createRunResponse(req, reply, { ctx, sessionCookie, eventStreams });
      try {
        const listener: CheckListener = {
          signal: response.signal,
          assertAllowed: response.assertAllowed,
          onStart: response.start,
          onCase: (result, progress) => response.send('case', { ...progress, case: result }),
        };
        const { summary, json } = await response.whileAllowed(() => runChecks(ctx, actorOf(req), req.params.name, req.body, listener));
        if (!response.stream) return reply.type(jsonType).send(json);
        await response.send('done', summary);
      } catch (err) {
        // Until the stream has started, an error becomes an ordinary response.
        if (!response.stream) throw err;
        if (!(err instanceof AppError)) req.log.error({ id: req.id, err }, 'a check run failed with an internal error');
        const { code, message, status } = err instanceof AppError ? err : new AppError('internal');
        await response.send('error', { code, message, status });
      }
      response.stream.finish();
      return reply;
    },
  });

  route('GET', '/api/prompts/:name/checks', {
    operationId: 'listChecks',
    summary: 'List check runs, newest first',
    description: 'The service keeps the last 100 check runs of each prompt, and up to 1,000 check runs or 128 MiB per workspace.',
    querystring: CheckListQuery,
    response: { 200: CheckList },
    handler: (req) => listChecks(ctx, actorOf(req), req.params.name, req.query),
  });

  route('GET', '/api/prompts/:name/checks/:id', {
    operationId: 'getCheck',
    summary: 'Get a check run with the result of each test case',
    response: { 200: Check },
    handler: async (req, reply) => reply.type(jsonType).send(await getCheckJson(ctx, actorOf(req), req.params)),
  });
};
