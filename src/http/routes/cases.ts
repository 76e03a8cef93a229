import { Case, CaseChange, CaseImport, CaseList, ImportedCases, NewCase } from '../../contract/cases.ts';
import { PageQuery } from '../../contract/lists.ts';
import { changeCase, createCase, deleteCase, importCases, listCases } from '../../domain/cases/cases.ts';
import { actorOf } from '../middleware/authentication.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

/** The test cases of a prompt: variables, and the checks that the output must pass. */
export const caseRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Test cases and checks' });

  route('GET', '/api/prompts/:name/cases', {
    operationId: 'listCases',
    summary: 'List or export the test cases of a prompt',
    description: 'You can import the response into any prompt.',
    querystring: PageQuery,
    response: { 200: CaseList },
    handler: (req) => listCases(ctx, actorOf(req), req.params.name, req.query),
  });

  route('POST', '/api/prompts/:name/cases', {
    operationId: 'createCase',
    summary: 'Add a test case',
    description: 'A prompt can have up to 500 test cases, 4 MiB in total. Their size counts toward the content quota of the workspace.',
    body: NewCase,
    response: { 201: Case },
    handler: (req) => createCase(ctx, actorOf(req), req.params.name, req.body),
  });

  route('POST', '/api/prompts/:name/cases/import', {
    operationId: 'importCases',
    summary: 'Add several test cases in one transaction',
    body: CaseImport,
    response: { 201: ImportedCases },
    handler: async (req, reply) => reply.status(201).send({ data: await importCases(ctx, actorOf(req), req.params.name, req.body) }),
  });

  route('PATCH', '/api/prompts/:name/cases/:id', {
    operationId: 'changeCase',
    summary: 'Change a test case',
    body: CaseChange,
    response: { 200: Case },
    handler: (req) => changeCase(ctx, actorOf(req), { ...req.params, change: req.body }),
  });

  route('DELETE', '/api/prompts/:name/cases/:id', {
    operationId: 'deleteCase',
    summary: 'Delete a test case',
    response: noContent,
    handler: (req) => deleteCase(ctx, actorOf(req), req.params),
  });
};
