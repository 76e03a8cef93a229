import type { FastifyReply, FastifyRequest } from 'fastify';
import { maxReportBytes } from '../../contract/limits.ts';
import { LogsRequest, LogsResponse, OtlpError, TraceRequest, TraceResponse } from '../../contract/otlp.ts';
import { recordReport } from '../../domain/results/record.ts';
import { actorOf } from '../middleware/authentication.ts';
import { encodingOf, uploadOf } from '../middleware/report-bodies.ts';
import { compileAllButBody } from '../middleware/validation.ts';
import type { Routes } from '../routes/route.ts';
import { langfuseTracesPath, logsPath, tracesPath } from './paths.ts';
import { isProtobuf, sendPartialSuccess } from './responses.ts';

/**
 * The endpoints for OpenTelemetry's exporters. Spans that name a prompt become calls, and evaluations become scores. All other spans and log
 * records are accepted and dropped.
 */
export const otlpRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Results', security: [{ key: [] }, { basic: [] }], errorBody: OtlpError });
  const common = {
    // An unsupported encoding is refused before the body arrives.
    afterAuthentication: [async (req: FastifyRequest) => void encodingOf(req)],
    options: { bodyLimit: maxReportBytes, config: { takesReport: true }, validatorCompiler: compileAllButBody },
    errors: [413, 415, 429],
  };

  async function receive(req: FastifyRequest, reply: FastifyReply, kind: 'traces' | 'logs'): Promise<FastifyReply> {
    const actor = actorOf(req);
    const upload = uploadOf(req, { kind, format: isProtobuf(req) ? 'protobuf' : 'json' });
    const { report, rejected, reason = '' } = await ctx.intake.read(actor.workspaceId, upload);
    const { hint = '' } = await recordReport(ctx, actor, report);
    const field = kind === 'traces' ? 'rejectedSpans' : 'rejectedLogRecords';
    return sendPartialSuccess(
      req,
      reply,
      rejected === 0 && hint === '' ? undefined : { field, rejected, errorMessage: `${reason} ${hint}`.trim() },
    );
  }

  route('POST', tracesPath, {
    ...common,
    operationId: 'reportTraces',
    summary: 'Report model calls with OpenTelemetry',
    description:
      'Accepts traces over OTLP, in protobuf or JSON, with or without gzip. Spans that name a prompt in the workspace are counted as calls. All ' +
      'other spans are accepted and dropped. Inputs and outputs are not kept. A span that is sent again within 72 hours is counted once. ' +
      'docs/results.md lists the attributes.',
    body: TraceRequest,
    response: { 200: TraceResponse },
    handler: (req, reply) => receive(req, reply, 'traces'),
  });

  route('POST', logsPath, {
    ...common,
    operationId: 'reportLogs',
    summary: 'Report scores with OpenTelemetry',
    description:
      'Accepts logs over OTLP, in protobuf or JSON, with or without gzip. Events with the name `gen_ai.evaluation.result` are counted as scores. ' +
      'All other log records are accepted and dropped.',
    body: LogsRequest,
    response: { 200: LogsResponse },
    handler: (req, reply) => receive(req, reply, 'logs'),
  });

  route('POST', langfuseTracesPath, {
    ...common,
    operationId: 'reportLangfuseTraces',
    summary: 'Report model calls with a Langfuse SDK',
    description: 'Does the same as `POST /v1/traces`, at the path that Langfuse’s SDKs use.',
    tag: 'Langfuse',
    body: TraceRequest,
    response: { 200: TraceResponse },
    handler: (req, reply) => receive(req, reply, 'traces'),
  });
};
