import {
  BrowserFeedback,
  CommentPage,
  CommentQuery,
  Feedback,
  FeedbackReceipt,
  FeedbackToken,
  FeedbackTokenRequest,
} from '../../contract/feedback.ts';
import {
  PromptResults,
  ReportReceipt,
  ResultReport,
  ResultsQuery,
  WorkspaceResults,
  WorkspaceResultsQuery,
} from '../../contract/results.ts';
import { addBrowserFeedback, addFeedback, createFeedbackToken, listComments } from '../../domain/results/feedback.ts';
import { recordReport } from '../../domain/results/record.ts';
import { emptyReport } from '../../domain/results/report.ts';
import { getPromptResults, getResults } from '../../domain/results/results.ts';
import { formatPromptResults, formatWorkspaceResults } from '../../domain/results/results-csv.ts';
import { actorOf } from '../middleware/authentication.ts';
import { sendCsv } from '../responses/csv-response.ts';
import { formatOf } from '../responses/requested-format.ts';
import { toReportedCall } from './reported-calls.ts';
import type { Routes } from './route.ts';

const browserFeedbackPath = '/api/feedback/browser';

/** Accepts the reports of programs about their model calls, and returns the sums. The contents of calls are neither accepted nor stored. */
export const resultRoutes: Routes = ({ app, ctx, createRoute }) => {
  const route = createRoute({ tag: 'Results' });

  route('POST', '/api/results', {
    operationId: 'reportResults',
    summary: 'Report model calls',
    description:
      'Adds model calls to the results of the version with which they were made. Fields that are not listed here are refused, so that ' +
      'no inputs or outputs are sent by mistake. A call that is reported again within 72 hours with the same `traceId` and `spanId`, or with ' +
      'the same `id`, is counted once.',
    body: ResultReport,
    response: { 202: ReportReceipt },
    handler: async (req) => recordReport(ctx, actorOf(req), { ...emptyReport(), calls: req.body.calls.map(toReportedCall) }),
  });

  route('POST', '/api/feedback', {
    operationId: 'sendFeedback',
    summary: 'Rate a call or a version',
    description:
      'Adds a score to the results of a version. The version is the one in `version`, or that of the call with `traceId` or `responseId`, or ' +
      'else the version at the label. If the call has not been reported yet, the score waits for it for up to 72 hours.',
    body: Feedback,
    response: { 202: FeedbackReceipt },
    handler: async (req) => {
      await addFeedback(ctx, actorOf(req), req.body);
      return {};
    },
  });

  route('POST', '/api/feedback/tokens', {
    operationId: 'createFeedbackToken',
    summary: 'Create a token for feedback from browsers',
    description: 'Pass the token to a page. For 24 hours, the page can use it to rate this version, and for nothing else.',
    body: FeedbackTokenRequest,
    response: { 201: FeedbackToken },
    handler: (req) => createFeedbackToken(ctx, actorOf(req), req.body),
  });

  route('POST', browserFeedbackPath, {
    operationId: 'sendBrowserFeedback',
    summary: 'Rate a version from a browser',
    description: 'Works from pages of any origin, without a key or a cookie. The token identifies the version.',
    access: 'public',
    // The header is set first, so that a page can also read why its feedback was refused.
    beforeAuthentication: [async (_req, reply) => void reply.header('access-control-allow-origin', '*')],
    body: BrowserFeedback,
    response: { 202: FeedbackReceipt },
    errors: [403, 429],
    handler: async (req) => {
      await addBrowserFeedback(ctx, req.body);
      return {};
    },
  });

  // Browsers ask for permission before they send JSON to another origin.
  app.options(browserFeedbackPath, (_req, reply) => {
    const headers = { 'access-control-allow-methods': 'POST', 'access-control-allow-headers': 'content-type' };
    return reply
      .headers({ ...headers, 'access-control-allow-origin': '*', 'access-control-max-age': '86400' })
      .status(204)
      .send();
  });

  route('GET', '/api/results', {
    operationId: 'getResults',
    summary: 'Get the results of a workspace',
    description: 'Adds up the reported calls by prompt, by model and over time.',
    querystring: WorkspaceResultsQuery,
    response: { 200: WorkspaceResults },
    errors: [429],
    handler: async (req, reply) => {
      const { by = 'prompt' } = req.query;
      const results = await getResults(ctx, actorOf(req), req.query);
      return formatOf(req, ['csv']) === 'csv' ? sendCsv(reply, `results-by-${by}.csv`, formatWorkspaceResults(results, by)) : results;
    },
  });

  route('GET', '/api/prompts/:name/results', {
    operationId: 'getPromptResults',
    summary: 'Get the results of a prompt',
    description: 'Adds up the reported calls and scores by version and by model, and over time.',
    querystring: ResultsQuery,
    response: { 200: PromptResults },
    errors: [429],
    handler: async (req, reply) => {
      const { by = 'version' } = req.query;
      const results = await getPromptResults(ctx, actorOf(req), req.params.name, req.query);
      return formatOf(req, ['csv']) === 'csv' ? sendCsv(reply, `results-by-${by}.csv`, formatPromptResults(results, by)) : results;
    },
  });

  route('GET', '/api/prompts/:name/comments', {
    operationId: 'listComments',
    summary: 'List comments on a prompt',
    description: 'Returns the comments that were sent with feedback in the last 90 days, newest first.',
    querystring: CommentQuery,
    response: { 200: CommentPage },
    handler: (req) => listComments(ctx, actorOf(req), req.params.name, req.query),
  });
};
