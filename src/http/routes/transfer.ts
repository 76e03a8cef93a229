import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { ImportedPrompts, ImportQuery } from '../../contract/transfer.ts';
import { linesMediaType, maxImportBytes } from '../../contract/transfer-format.ts';
import { exportPrompts } from '../../domain/transfer/export.ts';
import { importPrompts } from '../../domain/transfer/import.ts';
import { AppError } from '../../errors.ts';
import { assertAccess, createAccessCheck } from '../middleware/access-check.ts';
import { actorOf, clientOf } from '../middleware/authentication.ts';
import { readPrompts } from '../middleware/import-lines.ts';
import { createImportSlots } from '../middleware/import-slots.ts';
import { compileAllButBody } from '../middleware/validation.ts';
import type { Routes } from './route.ts';

/** Export and import of all prompts of a workspace, as lines of JSON. */
export const transferRoutes: Routes = ({ ctx, sessionCookie, createRoute, sendExport }) => {
  const route = createRoute({ tag: 'Export and import' });

  const imports = createImportSlots();

  route('GET', '/api/export', {
    operationId: 'exportPrompts',
    summary: 'Export all prompts',
    description:
      'Returns JSON lines with every prompt outside the bin and its versions, labels, test cases and history, as they were at one point ' +
      'in time. The same content always produces the same bytes, even after an import elsewhere. If the response ends with an error, ' +
      'such as a lost connection, the export is incomplete. docs/moving.md describes the lines.',
    options: { exposeHeadRoute: false },
    response: { 200: Type.String({ contentMediaType: linesMediaType }) },
    errors: [429],
    handler: (req, reply) =>
      sendExport(req, reply, {
        name: 'prompts.jsonl',
        mediaType: linesMediaType,
        generate: (assertAllowed) => exportPrompts(ctx, actorOf(req), assertAllowed),
      }),
  });

  route('POST', '/api/import', {
    operationId: 'importPrompts',
    summary: 'Import an export',
    description:
      'Imports the lines of an export as they arrive, up to 16 MiB and 10,000 lines per request. The first line of each request must be the ' +
      'first line of the export. To import a prompt with more lines, or with more than 4 MiB, repeat the line of the prompt and continue, in ' +
      'the same or the next request. Version numbers, dates, labels and history are restored. Authors keep their names and are marked as ' +
      'imported. Importing the same lines again changes nothing. If a line is invalid, the prompts before it may have been imported.',
    afterAuthentication: [
      async (req, reply) => {
        // The client may have disconnected while its key was looked up.
        if (reply.raw.destroyed) throw new AppError('bad_request');
        imports.take(req, reply);
      },
    ],
    options: {
      // The payload of a request is always a Readable, but its declared type is wider.
      preParsing: async (req, _reply, payload) => imports.watch(req, payload as Readable),
      bodyLimit: maxImportBytes,
      config: { takesLines: true },
      validatorCompiler: compileAllButBody,
    },
    querystring: ImportQuery,
    body: Type.Unsafe<unknown>({ type: 'string', contentMediaType: linesMediaType }),
    response: { 200: ImportedPrompts },
    errors: [413, 415],
    handler: async (req) => {
      const access = createAccessCheck(ctx, req, sessionCookie.read(req));
      const batches = imports.pass(req, readPrompts(req.body), () => assertAccess(access));
      const { dryRun, replace } = req.query;
      return importPrompts(ctx, actorOf(req), {
        batches,
        isTrial: dryRun === 'true',
        isReplacing: replace === 'true',
        client: clientOf(req),
      });
    },
  });
};
