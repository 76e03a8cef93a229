import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { findPermission, ownAccount, permissions, workspaceHeader } from '../../../src/contract/permissions.ts';
import { includesRole, memberRoles, type Role, roles } from '../../../src/contract/roles.ts';
import { callFromPage } from '../../support/browser.ts';
import type { ApiResponse, RequestOptions } from '../../support/client.ts';
import { engines, sqlite } from '../../support/engines.ts';
import { operations } from '../../support/openapi.ts';
import { type Client, describeOnEveryEngine, newClient } from '../../support/prompts.ts';
import type { Service } from '../../support/service.ts';
import { inWorkspace, newMember, openTestSession } from '../../support/workspaces.ts';

/** The operations that depend on a workspace, with the role that they require. */
const rolesByOperation = [...operations.keys()].flatMap((operationId): [string, Role][] => {
  const permission = findPermission(operationId);
  return permission && permission !== ownAccount ? [[operationId, permission]] : [];
});

/** Operations whose permission also depends on data: the table admits the role, and then domain rules decide. */
const decidedByData = new Set(['removeMember']);

/** Operations that require a key and refuse every session. */
const takesKey = new Set(['callMcp']);

const placeholders: Record<string, string> = { name: 'greeting', key: 'greeting', label: 'canary' };

/** Bodies and queries with which an operation succeeds. For all other operations, the test only checks that the role is admitted. */
const inputs: Record<string, { body?: unknown; query?: string; version?: string }> = {
  changePrompt: { body: { description: 'x' } },
  createVersion: { body: { template: 'Hello again' } },
  savePrompts: { body: { items: [{ name: 'greeting', template: 'Hello all' }] } },
  moveLabel: { body: { version: 1 } },
  diffVersions: { query: '?from=1&to=1' },
  renderPrompt: { body: { variables: {} } },
  previewPrompt: { body: { template: 'x' } },
  createLangfusePrompt: { body: { name: 'greeting', prompt: 'Hello' } },
  labelLangfusePrompt: { body: { newLabels: ['canary'] } },
};

/** Inputs with which an operation changes nothing, because the version does not exist. */
const missing: typeof inputs = { deleteVersion: { version: '99' }, deleteLangfusePrompt: { query: '?version=99' } };
const succeeds = new Set([
  ...Object.keys(inputs),
  'listPrompts',
  'getPrompt',
  'listVersions',
  'getVersion',
  'listHistory',
  'getOverview',
  'listFolders',
  'listFavorites',
  'addFavorite',
  'removeFavorite',
  'listViews',
  'getStatistics',
  'listWorkspaceActivity',
  'getRunStatistics',
  'listLangfusePrompts',
  'getLangfusePrompt',
  'getLangfuseProjects',
  'evaluateFlag',
  'evaluateFlags',
]);

/** The endpoints of OpenTelemetry respond with google.rpc.Status. */
const isOtlp = (operationId: string) => ['reportTraces', 'reportLogs', 'reportLangfuseTraces'].includes(operationId);

/** Operations for Langfuse SDKs respond with errors in Langfuse's shape. */
const isLangfuse = (operationId: string) => operationId.includes('Langfuse') && operationId !== 'readLangfuse';

/** Operations for OpenFeature's clients respond with errors in the shape of its protocol. */
const flagKeys: Record<string, object> = { evaluateFlag: { key: 'greeting' }, evaluateFlags: {} };

describe('The table of permissions', () => {
  it('has every operation that requires a key or a session', () => {
    const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as {
      paths: Record<string, Record<string, { operationId: string; security: object[]; description?: string; parameters?: unknown[] }>>;
    };
    const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const authenticated = all.filter(({ security }) => security.length > 0 && !security.some((entry) => Object.keys(entry).length === 0));
    const operationIds = new Set(all.map(({ operationId }) => operationId));
    for (const operationId of Object.keys(permissions)) assert.ok(operationIds.has(operationId), `${operationId}: is an operation`);
    for (const { operationId, description = '', parameters = [] } of authenticated) {
      const permission = findPermission(operationId);
      assert.ok(permission, operationId);
      const isWorkspaces = permission !== ownAccount;
      assert.equal(
        description.includes(`Requires the role \`${permission}\`.`),
        isWorkspaces,
        `${operationId}: its description names the role`,
      );
      assert.equal(JSON.stringify(parameters).includes('parameters/Workspace'), isWorkspaces, `${operationId}: the header is documented`);
    }
  });

  it('has no role for operations without authentication, nor for inherited properties of objects', () => {
    for (const operationId of ['register', 'obtainToken', 'signIn', 'health', 'toString', undefined]) {
      assert.equal(findPermission(operationId), undefined);
    }
    assert.equal(workspaceHeader, 'PromptHarbor-Workspace');
    assert.ok(Object.values(permissions).includes(ownAccount));
  });
});

function testRoles(service: () => Service, isFirst: boolean): void {
  let owner: Client;
  const credentials = new Map<Role | 'stranger', RequestOptions[]>();
  before(async () => {
    owner = await newClient(service());
    await owner.create({ name: 'greeting', template: 'Hello' });
    // Fills the response cache and the cache of renderable prompts, so that the fast path is tested too.
    await owner.get('/api/prompts');
    await owner.render('greeting', { variables: {} });
    const people: [Role | 'stranger', Client][] = [
      ['owner', owner],
      ['stranger', await newClient(service())],
    ];
    for (const role of memberRoles) people.push([role, await newMember(service(), owner, role)]);
    for (const [role, client] of people) {
      credentials.set(role, [{ key: client.token }, { cookie: await openTestSession(service(), client) }]);
    }
  });

  /** Performs the operation in the owner's workspace, with the key and with the session. */
  async function perform(operationId: string, role: Role | 'stranger'): Promise<ApiResponse[]> {
    const { method, path } = operations.get(operationId) ?? assert.fail(operationId);
    const { body, query = '', version = '1' } = inputs[operationId] ?? missing[operationId] ?? {};
    const url =
      path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => (name === 'version' ? version : (placeholders[name] ?? 'unknown'))) + query;
    const options = { ...inWorkspace(owner), ...(body !== undefined && { body }) };
    const responses: ApiResponse[] = [];
    for (const credential of credentials.get(role) ?? []) {
      const response = await callFromPage(service(), method, url, { ...options, ...credential });
      if (credential.cookie !== undefined && takesKey.has(operationId)) assert.equal(response.status, 401);
      else responses.push(response);
    }
    assert.equal(responses.length, takesKey.has(operationId) ? 1 : 2);
    return responses;
  }

  // Roles are read by the same query for every operation, so the operations of `succeeds` are enough on the other engine.
  const tested = rolesByOperation.filter(([operationId]) => isFirst || succeeds.has(operationId));
  for (const [operationId, required] of tested) {
    it(`${operationId}: ${required} and up, and no stranger`, async () => {
      for (const role of roles) {
        for (const { status, body, text } of await perform(operationId, role)) {
          if (!includesRole(role, required)) {
            const error = `You need the role "${required}" in this workspace. Your role is "${role}".`;
            const refused = isLangfuse(operationId) ? { message: error, error: 'ForbiddenError' } : { error, code: 'forbidden' };
            assert.deepEqual([status, body], [403, refused], `${role}: ${text}`);
          } else if (succeeds.has(operationId)) {
            assert.ok(status < 300, `${operationId} as ${role}: ${status} ${text} (add what it needs to "inputs" or "placeholders")`);
          } else if (!decidedByData.has(operationId)) {
            const { code } = (body ?? {}) as { code?: string };
            assert.ok(![401, 403].includes(status) && code !== 'workspace_not_found', `${role}: ${status} ${text}`);
          }
        }
      }
      for (const { status, body } of await perform(operationId, 'stranger')) {
        const error = 'There is no such workspace, or you are not a member of it';
        const ofLangfuse = { message: error, error: 'LangfuseNotFoundError' };
        const flagKey = flagKeys[operationId];
        const ofOthers = flagKey ? { ...flagKey, errorCode: 'GENERAL', errorDetails: error } : { error, code: 'workspace_not_found' };
        const refused = isLangfuse(operationId) ? ofLangfuse : ofOthers;
        assert.deepEqual([status, body], [404, isOtlp(operationId) ? { code: 5, message: error } : refused]);
      }
    });
  }

  it('no refused operation had an effect', async () => {
    const viewer = await newMember(service(), owner, 'viewer');
    const before = await owner.get('/api/prompts/greeting/history?limit=100');
    for (const method of ['PATCH', 'DELETE']) {
      assert.equal((await viewer.call(method, '/api/prompts/greeting', { description: 'no' }, inWorkspace(owner))).status, 403);
    }
    assert.deepEqual(await owner.get('/api/prompts/greeting/history?limit=100'), before);
  });
}

for (const engine of engines) {
  describeOnEveryEngine('Every operation with every role', (service) => testRoles(service, engine === sqlite), { on: [engine] });
}
