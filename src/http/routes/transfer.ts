import { Readable } from 'node:stream';
import type { FastifySchemaCompiler } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { ImportedPrompts, ImportQuery } from '../../contract/transfer.ts';
import { linesMediaType, maxImportBytes } from '../../contract/transfer-format.ts';
import type { Watcher } from '../../domain/access-watch.ts';
import { exportPrompts } from '../../domain/transfer/export.ts';
import { importPrompts } from '../../domain/transfer/import.ts';
import { AppError } from '../../errors.ts';
import { allowInactivity } from '../inactivity.ts';
import { assertAccess, createAccessCheck } from '../steps/access-check.ts';
import { actorOf, clientOf } from '../steps/authentication.ts';
import { parseLines } from '../steps/lines.ts';
import { compileValidator } from '../steps/validation.ts';
import { errorResponses, type Routes } from './route.ts';

/** Exports that a client is still taking. */
const exportLimits = { perWorkspace: 4, total: 256 };
/** Imports whose body arrives, waits for its turn or is stored: it is kept as a whole. */
const importLimits = { perWorkspace: 8, total: 64 };
/** A client that imports elsewhere what it reads here is slow. */
const stallTimeoutMs = 5 * 60 * 1000;

/** All prompts of a workspace as lines of JSON, and back. */
export const transferRoutes: Routes = (app, { ctx, authentication, sessionCookie }) => {
  const common = { tags: ['Export and import'], security: [{ key: [] }] };
  const exports = createOpenExports();
  app.addHook('preClose', async () => exports.close());
  const takeImport = createSlots('imports', importLimits);

  app.get(
    '/api/export',
    {
      onRequest: authentication,
      exposeHeadRoute: false,
      schema: {
        ...common,
        operationId: 'exportPrompts',
        summary: 'Export all prompts',
        description:
          'Lines of JSON: every prompt outside the bin with its versions, labels, cases and history. The same state always gives the same ' +
          'bytes, also after an import elsewhere. Each prompt is as it was at one moment. If the response ends with an error, such as a ' +
          'connection that breaks, it is not complete. docs/moving.md describes the lines.',
        response: { 200: Type.String({ contentMediaType: linesMediaType }), ...errorResponses('401 key', 429, 503) },
      },
    },
    async (req, reply) => {
      const actor = actorOf(req);
      const access = createAccessCheck(ctx, req, sessionCookie.read(req));
      const release = exports.take(actor.workspaceId);
      const parts = exportPrompts(ctx, actor, () => assertAccess(access));
      // An error before the first part is a response like any other.
      const first = await parts.next().catch((err: unknown) => {
        release();
        throw err;
      });
      const stream = Readable.from(prepend(first, parts));
      // The export of a large workspace takes long, and the key may be reset meanwhile.
      const watcher: Watcher = { ...access, onEnd: (reason) => stream.destroy(reason) };
      ctx.access.add(watcher);
      exports.add(stream, () => {
        ctx.access.remove(watcher);
        release();
      });
      allowInactivity(req, reply, stallTimeoutMs);
      req.streamStartedMs = reply.elapsedTime;
      return reply
        .header('content-type', linesMediaType)
        .header('content-disposition', 'attachment; filename="prompts.jsonl"')
        .send(stream);
    },
  );

  app.post(
    '/api/import',
    {
      onRequest: [
        authentication,
        async (req, reply) => {
          // A client that has left while its key was looked up has nothing to wait for.
          if (reply.raw.destroyed) throw new AppError('bad_request');
          reply.raw.once('close', takeImport(actorOf(req).workspaceId));
        },
      ],
      bodyLimit: maxImportBytes,
      config: { takesLines: true },
      validatorCompiler: compileButBody,
      schema: {
        ...common,
        operationId: 'importPrompts',
        summary: 'Import prompts as they were exported',
        description:
          'Takes lines of an export, up to 4 MiB and 10,000 lines at a time. The first line of each request is that of the export. A prompt ' +
          'with more lines is continued in the next request, which repeats the line of the prompt. Numbers, dates, labels and history are ' +
          'restored; authors keep their names and are marked as imported. Importing the same again changes nothing.',
        querystring: ImportQuery,
        body: Type.Unsafe<unknown>({ type: 'string', contentMediaType: linesMediaType }),
        response: { 200: ImportedPrompts, ...errorResponses(400, '401 key', 403, 413, 415, 429, 503) },
      },
    },
    async (req) => {
      const prompts = await parseLines(req.body);
      return importPrompts(ctx, actorOf(req), { prompts, isTrial: req.query.dryRun === 'true', client: clientOf(req) });
    },
  );
};

/** The body is validated line by line. */
const compileButBody: FastifySchemaCompiler<TSchema> = (route) =>
  route.httpPart === 'body' ? (value: unknown) => ({ value }) : compileValidator(route);

async function* prepend(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    if (!first.done) yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/** Bounds what is under way by workspace and in all. */
function createSlots(what: 'exports' | 'imports', limits: { perWorkspace: number; total: number }) {
  const perWorkspace = new Map<string, number>();
  let total = 0;
  /** Throws if there are too many. Returns a function that makes room again. */
  return function take(workspaceId: string): () => void {
    const count = perWorkspace.get(workspaceId) ?? 0;
    if (count >= limits.perWorkspace) {
      throw new AppError('too_many_streams', { text: `A workspace has at most ${limits.perWorkspace} ${what} under way` });
    }
    if (total >= limits.total) throw new AppError('overloaded');
    total += 1;
    perWorkspace.set(workspaceId, count + 1);
    return () => {
      total -= 1;
      const left = (perWorkspace.get(workspaceId) ?? 1) - 1;
      if (left > 0) perWorkspace.set(workspaceId, left);
      else perWorkspace.delete(workspaceId);
    };
  };
}

/** The exports that clients are still taking, which end before a stop. */
function createOpenExports() {
  const streams = new Set<Readable>();
  return {
    take: createSlots('exports', exportLimits),
    add(stream: Readable, release: () => void): void {
      streams.add(stream);
      stream.once('close', () => {
        streams.delete(stream);
        release();
      });
    },
    close(): void {
      for (const stream of streams) stream.destroy(new Error('The service is stopping'));
    },
  };
}
