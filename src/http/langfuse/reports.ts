import { LangfuseError } from '../../contract/langfuse.ts';
import { LangfuseBatch, LangfuseBatchOutcome, LangfuseScoreReceipt, NewLangfuseScore } from '../../contract/langfuse-reports.ts';
import { maxReportBytes } from '../../contract/limits.ts';
import { readLangfuseScore } from '../../domain/results/intake/langfuse-scores.ts';
import { InvalidValue } from '../../domain/results/intake/measurements.ts';
import { hashOf } from '../../domain/results/intake/scores.ts';
import { recordReport } from '../../domain/results/record.ts';
import { emptyReport } from '../../domain/results/report.ts';
import { AppError } from '../../errors.ts';
import { actorOf } from '../middleware/authentication.ts';
import { encodingOf, uploadOf } from '../middleware/report-bodies.ts';
import { compileAllButBody } from '../middleware/validation.ts';
import type { Routes } from '../routes/route.ts';

const maxScoreBytes = 256 * 1024;

/** The endpoints to which Langfuse's SDKs send scores. Older SDKs also send traces to them. */
export const langfuseReportRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Langfuse', security: [{ key: [] }, { basic: [] }], errorBody: LangfuseError });

  route('POST', '/api/public/ingestion', {
    operationId: 'reportLangfuseEvents',
    summary: 'Report model calls and scores in a batch',
    description:
      'Counts scores. Counts a generation as a call if it names a prompt in the workspace. All other events are accepted and dropped. ' +
      'Inputs and outputs are not kept.',
    afterAuthentication: [async (req) => void encodingOf(req)],
    options: { bodyLimit: maxReportBytes, config: { takesReport: true }, validatorCompiler: compileAllButBody },
    body: LangfuseBatch,
    response: { 207: LangfuseBatchOutcome },
    errors: [413, 415, 429],
    handler: async (req) => {
      const actor = actorOf(req);
      const { report, events } = await ctx.intake.read(actor.workspaceId, uploadOf(req, { kind: 'langfuse', format: 'json' }));
      await recordReport(ctx, actor, report);
      return {
        successes: events.filter(({ error }) => error === undefined).map(({ id }) => ({ id, status: 201 })),
        errors: events.flatMap(({ id, error }) =>
          error === undefined ? [] : [{ id, status: 400, message: error, error: 'Invalid request data' }],
        ),
      };
    },
  });

  route('POST', '/api/public/scores', {
    operationId: 'createLangfuseScore',
    summary: 'Rate a call or a trace',
    description: 'If the call has not been reported yet, the score waits for it for up to 72 hours.',
    options: { bodyLimit: maxScoreBytes },
    body: NewLangfuseScore,
    response: { 200: LangfuseScoreReceipt },
    handler: async (req) => {
      const score = toScore(req.body);
      if (score) await recordReport(ctx, actorOf(req), { ...emptyReport(), scores: [score] });
      return { id: score?.id ?? req.body.id ?? hashOf(req.body) };
    },
  });
};

function toScore(body: Parameters<typeof readLangfuseScore>[0]): ReturnType<typeof readLangfuseScore> {
  try {
    return readLangfuseScore(body);
  } catch (cause) {
    if (cause instanceof InvalidValue) throw new AppError('invalid_input', { text: 'The score has an invalid id, name or value', cause });
    throw cause;
  }
}
