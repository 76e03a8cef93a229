import { Type } from 'typebox';
import { Diff, DiffQuery, History } from '../../contract/history.ts';
import { listOf, pageParameters } from '../../contract/list.ts';
import { PromptPath } from '../../contract/prompt.ts';
import { Label, LabelTarget, NewVersion, SavedVersion, Version, VersionNumber } from '../../contract/version.ts';
import { diffVersions, listHistory } from '../../domain/history.ts';
import { moveLabel, removeLabel } from '../../domain/labels.ts';
import { createVersion, getVersion, listVersions } from '../../domain/versions.ts';
import { actorOf, editorOf } from '../auth.ts';
import { failures, type Routes } from './route.ts';

const PageQuery = Type.Object(pageParameters, { additionalProperties: false });
const VersionPath = Type.Object({ ...PromptPath.properties, version: VersionNumber });
const LabelPath = Type.Object({ ...PromptPath.properties, label: Label });
const defaultLimit = 50;

/** Versions of a prompt, the labels that point at them, and what happened to both. */
export const versionRoutes: Routes = (app, { ctx, authentication, answers }) => {
  const common = { tags: ['Versions and labels'], security: [{ key: [] }] };

  app.get(
    '/api/prompts/:name/versions',
    {
      onRequest: [authentication, answers.fromMemory],
      schema: {
        ...common,
        operationId: 'listVersions',
        summary: 'List versions, newest first',
        params: PromptPath,
        querystring: PageQuery,
        response: { 200: listOf('VersionList', Version), ...failures(400, '401 key', 404, 503) },
      },
    },
    async (req, reply) => {
      const page = { limit: defaultLimit, ...req.query };
      return answers.send(req, reply, { body: await listVersions(ctx, actorOf(req).account.id, req.params.name, page) });
    },
  );

  app.post(
    '/api/prompts/:name/versions',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'createVersion',
        summary: 'Save a new version',
        description: 'Versions never change. Labels move only when `labels` says so, or by `PUT …/labels/{label}`.',
        params: PromptPath,
        body: NewVersion,
        response: { 201: SavedVersion, ...failures(400, '401 key', 404, 409, 422, 503) },
      },
    },
    async (req, reply) => reply.status(201).send(await createVersion(ctx, editorOf(req), req.params.name, req.body)),
  );

  app.get(
    '/api/prompts/:name/versions/:version',
    {
      onRequest: [authentication, answers.fromMemory],
      schema: {
        ...common,
        operationId: 'getVersion',
        summary: 'Get one version',
        params: VersionPath,
        response: { 200: Version, ...failures(400, '401 key', 404, 503) },
      },
    },
    async (req, reply) => {
      const { name, version: number } = req.params;
      const { prompt, version } = await getVersion(ctx, actorOf(req).account.id, name, { version: number });
      return answers.send(req, reply, { body: version, served: { promptId: prompt.id, version: version.version, label: undefined } });
    },
  );

  app.put(
    '/api/prompts/:name/labels/:label',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'moveLabel',
        summary: 'Point a label at a version: deploy, or roll back',
        params: LabelPath,
        body: LabelTarget,
        response: { 200: Version, ...failures(400, '401 key', 404, 503) },
      },
    },
    async (req) => moveLabel(ctx, editorOf(req), req.params.name, req.params.label, req.body.version),
  );

  app.delete(
    '/api/prompts/:name/labels/:label',
    {
      onRequest: authentication,
      schema: {
        ...common,
        operationId: 'removeLabel',
        summary: 'Remove a label',
        params: LabelPath,
        response: { 204: Type.Null(), ...failures(400, '401 key', 404, 503) },
      },
    },
    async (req, reply) => {
      await removeLabel(ctx, editorOf(req), req.params.name, req.params.label);
      return reply.status(204).send();
    },
  );

  app.get(
    '/api/prompts/:name/history',
    {
      onRequest: [authentication, answers.fromMemory],
      schema: {
        ...common,
        operationId: 'listHistory',
        summary: 'Who changed what and when, newest first',
        params: PromptPath,
        querystring: PageQuery,
        response: { 200: History, ...failures(400, '401 key', 404, 503) },
      },
    },
    async (req, reply) => {
      const page = { limit: defaultLimit, ...req.query };
      return answers.send(req, reply, { body: await listHistory(ctx, actorOf(req).account.id, req.params.name, page) });
    },
  );

  app.get(
    '/api/prompts/:name/diff',
    {
      onRequest: [authentication, answers.fromMemory],
      schema: {
        ...common,
        operationId: 'diffVersions',
        summary: 'Compare two versions',
        params: PromptPath,
        querystring: DiffQuery,
        response: { 200: Diff, ...failures(400, '401 key', 404, 422, 503) },
      },
    },
    async (req, reply) => answers.send(req, reply, { body: await diffVersions(ctx, actorOf(req).account.id, req.params.name, req.query) }),
  );
};
