import { Type } from 'typebox';
import { Case, CaseChange, CaseImport, CaseList, CasePath, ImportedCases, NewCase } from '../../contract/cases.ts';
import { PageQuery } from '../../contract/lists.ts';
import { PromptPath } from '../../contract/prompts.ts';
import { changeCase, createCase, deleteCase, importCases, listCases } from '../../domain/cases/cases.ts';
import { actorOf } from '../steps/authentication.ts';
import { errorResponses, type Routes } from './route.ts';

/** The cases of a prompt: inputs, and what must hold for the output. */
export const caseRoutes: Routes = (app, { ctx, authentication }) => {
  const common = { tags: ['Cases and checks'], security: [{ key: [] }] };

  app.get(
    '/api/prompts/:name/cases',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'listCases',
        summary: 'List or export the cases of a prompt',
        description: 'What it returns can be imported into any prompt.',
        params: PromptPath,
        querystring: PageQuery,
        response: { 200: CaseList, ...errorResponses(400, '401 key', 403, 404, 503) },
      },
    },
    (req) => listCases(ctx, actorOf(req), req.params.name, req.query),
  );

  app.post(
    '/api/prompts/:name/cases',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'createCase',
        summary: 'Add a case',
        description: 'A prompt has up to 500 cases with 4 MiB together. Their size counts as content of the workspace.',
        params: PromptPath,
        body: NewCase,
        response: { 201: Case, ...errorResponses(400, '401 key', 403, 404, 503) },
      },
    },
    async (req, reply) => reply.status(201).send(await createCase(ctx, actorOf(req), req.params.name, req.body)),
  );

  app.post(
    '/api/prompts/:name/cases/import',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'importCases',
        summary: 'Add many cases, all or none',
        params: PromptPath,
        body: CaseImport,
        response: { 201: ImportedCases, ...errorResponses(400, '401 key', 403, 404, 503) },
      },
    },
    async (req, reply) => reply.status(201).send({ data: await importCases(ctx, actorOf(req), req.params.name, req.body) }),
  );

  app.patch(
    '/api/prompts/:name/cases/:id',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'changeCase',
        summary: 'Change a case',
        params: CasePath,
        body: CaseChange,
        response: { 200: Case, ...errorResponses(400, '401 key', 403, 404, 503) },
      },
    },
    (req) => changeCase(ctx, actorOf(req), { ...req.params, change: req.body }),
  );

  app.delete(
    '/api/prompts/:name/cases/:id',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'deleteCase',
        summary: 'Delete a case',
        params: CasePath,
        response: { 204: Type.Null(), ...errorResponses('401 key', 403, 404, 503) },
      },
    },
    async (req, reply) => {
      await deleteCase(ctx, actorOf(req), req.params);
      return reply.status(204).send();
    },
  );
};
