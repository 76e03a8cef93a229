import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, describe, it, mock } from 'node:test';
import pg from 'pg';
import { addNotification } from '../../src/domain/notifications/notify.ts';
import { callFromPage, codeOf, enableTwoFactor, signUp, stopClock } from '../support/browser.ts';
import { type ApiResponse, call, cookieOf, signIn, type TestAccount } from '../support/client.ts';
import { engines, postgres } from '../support/engines.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts';
import { newestLink } from '../support/links.ts';
import { type RawServer, startRawServer } from '../support/models.ts';
import { createBrowser, newPerson, providerEnv } from '../support/oidc.ts';
import { assertMatches, type Operation, operations } from '../support/openapi.ts';
import { getChallenge, newDevice, signUpWithPasskey } from '../support/passkeys.ts';
import { newClient } from '../support/prompts.ts';
import { type Service, startService } from '../support/service.ts';

interface Request {
  /** The values for the placeholders in the path. */
  path?: Record<string, string>;
  query?: string;
  key?: string;
  cookie?: string;
  body?: unknown;
  text?: string;
  headers?: Record<string, string>;
}

type SignedUp = TestAccount & { cookie: string };

interface World {
  service: Service;
  /** The account that owns a prompt of each type, an included prompt, versions, labels, tags and a prompt in the bin. */
  owner: SignedUp;
  newAccount(): Promise<SignedUp>;
  /** A server that runs models. */
  models: RawServer;
  /** The OpenID Connect provider at which people can sign in. */
  provider: IdentityProvider;
}

/** Sends each request twice, once with the key and once with the session. */
const byBoth = ({ owner }: World, ...requests: Request[]): Request[] =>
  requests.flatMap((request) => [
    { ...request, key: owner.token },
    { ...request, cookie: owner.cookie },
  ]);
const byKey = ({ owner }: World, ...requests: Request[]): Request[] => requests.map((request) => ({ ...request, key: owner.token }));

const text = { name: 'support/reply' };
const chat = { name: 'agent' };
const history = [{ role: 'user', content: 'Hi' }];
let names = 0;
const newName = () => {
  names += 1;
  return `new-${names}`;
};
const newTextPrompt = () => ({
  name: newName(),
  template: "{% render 'nobody' %}{% assign unused = 1 %}",
  tags: ['a'],
  config: { nested: { any: [null] } },
});
const newChatPrompt = () => ({
  name: newName(),
  messages: [{ role: 'user', content: '{{ x }}' }, { placeholder: 'history' }],
  labels: [],
});
const newPassword = 'quite another password';

/** Successful requests for every operation, by operation id. */
const requests: Record<string, (world: World) => Request[] | Promise<Request[]>> = {
  // Accounts and keys
  register: async (world) => {
    const { email, token } = await invite(world);
    return [
      { body: { email: `${newName()}@example.com`, password: newPassword } },
      { body: { email, password: newPassword, invitation: token } },
    ];
  },
  obtainToken: ({ owner: { email, password } }) => [{ body: { email, password } }],
  verifyToken: (world) => byBoth(world, {}),
  resetToken: async ({ newAccount }) => [{ key: (await newAccount()).token }, { cookie: (await newAccount()).cookie }],
  getAccount: (world) => byBoth(world, {}),
  changeAccount: (world) => byBoth(world, { body: { name: 'Ada Lovelace' } }),
  deleteAccount: async ({ newAccount }) => {
    const { cookie, password } = await newAccount();
    return [{ cookie, body: { password } }];
  },

  // Two-factor authentication
  startTwoFactor: ({ owner: { cookie, password } }) => [{ cookie, body: { password } }],
  confirmTwoFactor: async ({ service, newAccount }) => {
    const { cookie, password } = await newAccount();
    const started = await callFromPage(service, 'POST', '/api/account/two-factor', { cookie, body: { password } });
    return [{ cookie, body: { code: codeOf((started.body as { secret: string }).secret) } }];
  },
  replaceRecoveryCodes: async ({ service }) => {
    const { cookie, password, secret } = await enableTwoFactor(service);
    return [{ cookie, body: { password, code: codeOf(secret) } }];
  },
  stopTwoFactor: async ({ service }) => {
    const { cookie, password, secret } = await enableTwoFactor(service);
    return [{ cookie, body: { password, code: codeOf(secret) } }];
  },

  // Passkeys
  startPasskeySignIn: () => [{}],
  signInWithPasskey: async ({ service }) => {
    const { device } = await signUpWithPasskey(service);
    const { options, cookie } = await getChallenge(service);
    return [{ cookie, body: device.sign(options) }];
  },
  confirmSession: ({ owner: { cookie, password } }) => [{ cookie, body: { password } }],
  listPasskeys: async ({ service }) => [{ cookie: (await signUpWithPasskey(service)).cookie }],
  startPasskey: async ({ newAccount }) => [{ cookie: (await newAccount()).cookie }],
  addPasskey: async ({ service, newAccount }) => {
    const { cookie } = await newAccount();
    const { body } = await callFromPage(service, 'POST', '/api/account/passkeys/options', { cookie });
    return [{ cookie, body: { name: 'Laptop', credential: newDevice(service).create(body as { challenge: string }) } }];
  },
  renamePasskey: async ({ service }) => {
    const { cookie, passkeyId } = await signUpWithPasskey(service);
    return [{ cookie, path: { id: passkeyId }, body: { name: 'Phone' } }];
  },
  removePasskey: async ({ service }) => {
    const { cookie, passkeyId } = await signUpWithPasskey(service);
    return [{ cookie, path: { id: passkeyId } }];
  },

  // Command-line sign-in
  startCliSignIn: () => [{ body: { challenge: newChallenge().challenge, computer: 'laptop', port: 52_133 } }],
  claimCliSignIn: async ({ service, owner: { cookie } }) => {
    const { code, verifier } = await startCliSignIn(service);
    await callFromPage(service, 'POST', `/api/session/cli/${code}/approve`, { cookie });
    return [{ body: { verifier } }];
  },
  getCliSignIn: async ({ service, owner: { cookie } }) => [{ cookie, path: { code: (await startCliSignIn(service)).code } }],
  approveCliSignIn: async ({ service, owner: { cookie } }) => [{ cookie, path: { code: (await startCliSignIn(service)).code } }],
  denyCliSignIn: async ({ service, owner: { cookie } }) => [{ cookie, path: { code: (await startCliSignIn(service)).code } }],

  // Browser sessions
  signUp: () => [{ body: { email: `${newName()}@example.com`, password: newPassword, name: 'Ada' } }],
  signIn: ({ owner: { email, password } }) => [{ body: { email, password } }],
  signOut: async ({ newAccount }) => [{}, { cookie: (await newAccount()).cookie }],
  getSignInOptions: () => [{}],
  linkIdentity: ({ owner: { cookie } }) => [{ cookie, path: { provider: 'sso' } }],
  listIdentities: async (world) => [{ cookie: await signInAtProvider(world) }],
  unlinkIdentity: async (world) => {
    const cookie = await signInAtProvider(world);
    const body = { newPassword };
    const changed = await callFromPage(world.service, 'POST', '/api/session/change-password', { cookie, body });
    return [{ cookie: cookieOf(changed), body: { issuer: world.provider.issuer } }];
  },
  signOutEverywhere: async (world) => [{}, { cookie: await signInAtProvider(world) }],
  endProviderSessions: async (world) => {
    const text = `logout_token=${await world.provider.logoutToken({ sub: 'someone' })}`;
    return [{ text, headers: { 'content-type': 'application/x-www-form-urlencoded' } }];
  },
  whoAmI: (world) => byBoth(world, {}),
  changePassword: async ({ newAccount }) => {
    const { cookie, password } = await newAccount();
    return [{ cookie, body: { currentPassword: password, newPassword } }];
  },
  listSessions: ({ owner: { cookie } }) => [{ cookie }],
  endSession: async ({ service, owner }) => {
    await signIn(service, owner);
    const { body } = await call(service, 'GET', '/api/session/list', { cookie: owner.cookie });
    const other = (body as { data: { id: string; current: boolean }[] }).data.find(({ current }) => !current);
    return [{ cookie: owner.cookie, path: { id: other?.id ?? '' } }];
  },
  endOtherSessions: ({ owner: { cookie } }) => [{ cookie }],
  forgotPassword: ({ owner: { email } }) => [{ body: { email } }, { body: { email: 'nobody@example.com' } }],
  resetPassword: async ({ service, newAccount }) => {
    const { email } = await newAccount();
    await callFromPage(service, 'POST', '/api/session/forgot-password', { body: { email } });
    await service.ctx.mails.drain(60_000);
    // Links for other accounts may be logged later.
    const token = service
      .logs()
      .split('\n')
      .filter((line) => line.includes(`"${email}"`))
      .map((line) => /reset\?token=([\w-]+)/.exec(line)?.[1])
      .findLast((found) => found !== undefined);
    return [{ body: { token, newPassword } }];
  },

  requestVerification: async ({ newAccount }) => [{ key: (await newAccount()).token }, { cookie: (await newAccount()).cookie }],
  verifyEmail: async ({ service, newAccount }) => {
    const account = await newAccount();
    await call(service, 'POST', '/api/account/verification', { key: account.token });
    return [{ cookie: account.cookie, body: { token: await newestLink(service, account, 'verify') } }];
  },

  requestEmailChange: async ({ newAccount }) => {
    const { cookie, password } = await newAccount();
    return [{ cookie, body: { email: `${newName()}@example.com`, password } }];
  },
  cancelEmailChange: async (world) => [{ cookie: (await changeEmail(world)).cookie }],
  confirmEmailChange: async (world) => {
    const account = await changeEmail(world);
    return [{ cookie: account.cookie, body: { token: await newestLink(world.service, account, 'confirm-email') } }];
  },

  // Notifications
  listNotifications: async (world) => {
    const { service, owner } = world;
    const notification = { kind: 'new_sign_in', detail: { address: '203.0.113.7' }, recipients: [owner.userId] } as const;
    await addNotification(service.ctx.store, notification);
    await addNotification(service.ctx.store, notification);
    return byBoth(world, {}, { query: 'limit=1' });
  },
  readNotifications: (world) => byBoth(world, { body: { upTo: 'n_x' } }, { body: { ids: ['n_x'] } }),
  getNotificationSettings: (world) => byBoth(world, {}),
  changeNotificationSettings: (world) => byBoth(world, { body: { role_changed: { email: false } } }),

  // Workspaces
  listWorkspaces: (world) => byBoth(world, {}),
  createWorkspace: (world) => byBoth(world, { body: { name: 'Support' } }),
  renameWorkspace: async (world) => byBoth(world, { path: { id: await newTeam(world) }, body: { name: 'Care' } }),
  transferWorkspace: async (world) => {
    const { service, owner, newAccount } = world;
    const [id, { userId }] = [await newTeam(world), await newAccount()];
    await service.ctx.store.memberships.put(id, userId, 'viewer');
    return [{ path: { id }, cookie: owner.cookie, body: { userId, password: owner.password } }];
  },
  deleteWorkspace: async (world) => {
    const { cookie, password } = world.owner;
    return [{ path: { id: await newTeam(world) }, cookie, body: { password } }];
  },

  // Prompts
  listPrompts: (world) =>
    byBoth(
      world,
      {},
      { query: 'include=content' },
      { query: 'include=usage' },
      { query: 'include=author&deployed=true&changedSince=2026-01-01&subfolders=false&sort=-name' },
      { query: 'deleted=true' },
      { query: 'limit=1' },
      { query: 'sort=-updatedAt' },
    ),
  createPrompt: (world) => [
    ...byKey(world, { body: newTextPrompt() }, { body: newChatPrompt() }),
    { cookie: world.owner.cookie, body: newTextPrompt() },
    { cookie: world.owner.cookie, body: newChatPrompt() },
  ],
  importPrompts: async ({ service, owner, newAccount }) => {
    const { text } = await call(service, 'GET', '/api/export', { key: owner.token });
    const headers = { 'content-type': 'application/x-ndjson' };
    const account = await newAccount();
    return [
      { key: account.token, text, headers },
      { cookie: account.cookie, text, headers, query: 'dryRun=true' },
      { key: owner.token, text, headers },
    ];
  },
  savePrompts: (world) =>
    byBoth(world, { body: { items: [{ ...newTextPrompt(), baseVersion: 0 }, newChatPrompt()], skipUnchanged: true } }),
  getPrompt: (world) =>
    byBoth(world, { path: text }, { path: text, query: 'label=staging' }, { path: text, query: 'version=1' }, { path: chat }),
  changePrompt: (world) => byBoth(world, { path: text, body: { description: 'Replies to a customer', tags: ['support'] } }),
  deletePrompt: async (world) => byKey(world, { path: { name: await createPrompt(world) } }),
  copyPrompt: async (world) => {
    const [name, workspace] = [await createPrompt(world), await newTeam(world)];
    const [copied, moved] = byBoth(world, { path: { name }, body: { workspace, name: 'copy' } });
    const move = { ...moved, body: { workspace, move: true } };
    return [...(copied ? [copied] : []), move];
  },
  restorePrompt: async (world) => {
    const name = await createPrompt(world);
    await call(world.service, 'DELETE', `/api/prompts/${name}`, { key: world.owner.token });
    return byKey(world, { path: { name } });
  },

  listDependents: (world) => byBoth(world, { path: { name: 'shared/tone' } }, { path: text }),
  listJudged: (world) => byBoth(world, { path: { name: 'shared/tone' } }, { path: text }),
  getOverview: (world) => byBoth(world, {}, { query: 'folder=support' }, { query: 'deployed=false' }),
  listFolders: (world) => byBoth(world, {}),
  listFavorites: async (world) => {
    await call(world.service, 'PUT', '/api/prompts/shared%2Ftone/favorite', { key: world.owner.token });
    return byBoth(world, {});
  },
  addFavorite: (world) => byBoth(world, { path: text }),
  removeFavorite: (world) => byBoth(world, { path: text }),
  listViews: async (world) => {
    await newView(world);
    return byBoth(world, {});
  },
  createView: ({ owner }) => [
    { key: owner.token, body: { name: 'Not deployed', filters: { deployed: false, changed: '7d', sort: '-calls' } } },
    { cookie: owner.cookie, body: { name: 'Mine', filters: { favorites: true } } },
  ],
  changeView: async (world) => byKey(world, { path: { id: await newView(world) }, body: { name: 'Changed' } }),
  deleteView: async (world) => byKey(world, { path: { id: await newView(world) } }),

  // Versions and labels
  listVersions: (world) => byBoth(world, { path: text }, { path: text, query: 'limit=1' }, { path: chat }),
  createVersion: (world) =>
    byBoth(
      world,
      { path: text, body: { template: "Reply {{ question }} {% render 'nobody' %}", message: 'Again', config: { any: true } } },
      { path: chat, body: { messages: [{ role: 'system', content: 'Be kind' }, { placeholder: 'history' }] } },
    ),
  getVersion: (world) => byBoth(world, { path: { ...text, version: '1' } }, { path: { ...chat, version: '1' } }),
  moveLabel: (world) => byBoth(world, { path: { ...text, label: 'canary' }, body: { version: 1 } }),
  removeLabel: (world) => byKey(world, { path: { ...text, label: 'old' } }),
  startRelease: async (world) => byKey(world, { path: await createReleasable(world), body: newRelease }),
  getRelease: async (world) => byBoth(world, await startedRelease(world)),
  countKeys: (world) => byBoth(world, { path: text }),
  changeRelease: async (world) =>
    byBoth(world, await startedRelease(world)).map((request, index) => ({
      ...request,
      body: index === 0 ? { arms: [{ version: 2, weight: 700 }] } : { state: 'paused' },
    })),
  rollBackRelease: async (world) => byKey(world, await startedRelease(world)),
  finishRelease: async (world) => byKey(world, { ...(await startedRelease(world)), body: { version: 2 } }),

  // Candidates and proposals
  listCandidates: async (world) => {
    await createCandidate(world);
    return byBoth(world, { path: text }, { path: text, query: 'limit=1' });
  },
  createCandidate: (world) => byBoth(world, { path: text, body: newCandidate }),
  getCandidate: async (world) => byBoth(world, { path: await createCandidate(world) }),
  changeCandidate: async (world) => byKey(world, { path: await createCandidate(world), body: { ...newCandidate, revision: 1 } }),
  deleteCandidate: async (world) => byKey(world, { path: await createCandidate(world) }),
  applyCandidate: async (world) => byKey(world, { path: await createCandidate(world), body: { revision: 1, labels: ['canary'] } }),
  listProposals: async (world) => {
    await createProposal(world);
    return byBoth(world, {}, { query: 'limit=1&state=open&prompt=support/reply' }, { query: 'waiting=true' });
  },
  openProposal: async (world) => {
    const { id: candidate } = await createCandidate(world);
    const { name, label } = await createReleasable(world);
    const changes = [
      { prompt: text.name, label: 'canary', candidate },
      { prompt: name, label, release: newRelease },
    ];
    return byBoth(world, { body: { changes, message: 'Kinder', reviewers: [world.owner.userId], applyAt: '2100-01-01T00:00:00Z' } });
  },
  getProposal: async (world) => byBoth(world, { path: { id: (await createProposal(world)).id } }),
  reviewProposal: async (world) => {
    const { id, revision } = await createProposal(world);
    const path = { id };
    return [
      { path, cookie: world.owner.cookie, body: { verdict: 'approve', revision } },
      { path, cookie: world.owner.cookie, body: { verdict: 'decline', revision, text: 'Not now' } },
    ];
  },
  listDiscussion: async (world) => {
    const { id } = await createComment(world);
    await createComment(world, { replyTo: id });
    return byBoth(world, { query: 'prompt=support/reply&version=1&limit=1' }, { query: 'prompt=support/reply' });
  },
  addComment: async (world) => {
    const { id: proposal } = await createProposal(world);
    const subject = { prompt: text.name, version: 1, anchor: { part: 'text', line: 1 } };
    return byBoth(world, { body: { proposal, text: 'Why?' } }, { body: { ...subject, text: 'Why?' } });
  },
  changeComment: async (world) => byBoth(world, { path: await createComment(world), body: { text: 'Why not?', resolved: true } }),
  deleteComment: async (world) => byKey(world, { path: await createComment(world) }),
  applyProposal: async (world) => {
    const { id, revision } = await createProposal(world);
    return byKey(world, { path: { id }, body: { revision } });
  },
  withdrawProposal: async (world) => byKey(world, { path: { id: (await createProposal(world)).id } }),
  deleteVersion: async (world) => {
    const client = await newClient(world.service, world.owner);
    const name = await createPrompt(world);
    for (const template of ['y', 'z']) await client.save(name, { template, labels: ['old'] });
    return byBoth(world, { path: { name, version: '3' } }).map((request, index) => ({
      ...request,
      path: { name, version: String(3 - index) },
    }));
  },
  listHistory: (world) => byBoth(world, { path: text }, { path: text, query: 'limit=1' }, { path: { name: 'renamed' } }),
  diffVersions: async (world) => {
    const { id } = await createCandidate(world);
    const ofCandidate = { path: text, query: `from=latest&to=${id}` };
    return byBoth(world, { path: text, query: 'from=1&to=2' }, { path: chat, query: 'from=1&to=1' }, ofCandidate);
  },

  // OpenFeature
  evaluateFlag: (world) =>
    byBoth(world, { path: { key: text.name } }, { path: { key: chat.name }, body: { context: { targetingKey: 'u' } } }),
  evaluateFlags: (world) => byBoth(world, { body: { context: { targetingKey: 'u', plan: 'internal' } } }),

  // Langfuse
  listLangfusePrompts: (world) => byBoth(world, {}, { query: 'label=latest&limit=1&page=2' }),
  createLangfusePrompt: (world) =>
    byBoth(
      world,
      { body: { name: 'by-langfuse', prompt: 'Hello {{name}}', config: ['any'], commitMessage: 'First' } },
      {
        body: {
          name: 'chat-by-langfuse',
          type: 'chat',
          prompt: [
            { role: 'x', content: '' },
            { type: 'placeholder', name: 'history' },
          ],
        },
      },
    ),
  getLangfusePrompt: (world) => byBoth(world, { path: text }, { path: text, query: 'version=1' }, { path: chat }),
  labelLangfusePrompt: (world) => byBoth(world, { path: { ...text, version: '1' }, body: { newLabels: ['canary'] } }),
  deleteLangfusePrompt: async (world) => byKey(world, { path: { name: await createPrompt(world) } }),
  getLangfuseProjects: (world) => byBoth(world, {}),
  getLangfuseHealth: () => [{}],

  // Rendering
  callMcp: (world) =>
    byKey(world, {
      headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'server/discover',
        params: {
          _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} },
        },
      },
    }),
  renderPrompt: (world) =>
    byBoth(
      world,
      { path: text, body: { variables: { question: 'Where?' } } },
      { path: chat, body: { variables: { topic: 'ships', history } } },
    ),
  previewPrompt: async (world) => {
    const { name, id } = await createCandidate(world);
    return byBoth(
      world,
      { body: { name, candidate: id, placeholders: true, problems: true } },
      { body: { template: '{{ x }}', variables: { x: 1 }, config: { any: [] } } },
      { body: { messages: [{ role: 'user', content: 'Hi' }, { placeholder: 'history' }], variables: { history } } },
    );
  },

  // Workspaces and people
  getWorkspace: (world) => byBoth(world, {}),
  updateWorkspace: (world) =>
    byBoth(
      world,
      { body: { name: 'Ada', protectedLabels: ['audited'], gatedLabels: ['gated'], dailyBudget: { cost: 5, tokens: null } } },
      {
        body: { protectedLabels: [], gatedLabels: [], labelRules: { ruled: { approvals: 1 } }, dailyBudget: { cost: null, tokens: null } },
      },
    ),
  listMembers: async (world) => {
    await invite(world);
    await createServiceAccount(world);
    return byBoth(world, {}, { query: 'limit=1' });
  },
  inviteMember: (world) => byBoth(world, { body: { email: `${newName()}@example.com`, role: 'editor' } }),
  removeInvitation: async (world) => byKey(world, { path: { id: (await invite(world)).id } }),
  getInvitation: async (world) => [{ path: { token: (await invite(world)).token } }],
  acceptInvitation: async (world) => {
    const { cookie, email } = await world.newAccount();
    return [{ cookie, path: { token: (await invite(world, email)).token } }];
  },
  changeMember: async (world) => byBoth(world, { path: { userId: await createServiceAccount(world) }, body: { role: 'admin' } }),
  removeMember: async (world) => byKey(world, { path: { userId: await createServiceAccount(world) } }),
  createServiceAccount: (world) => byBoth(world, { body: { name: 'Checkout', role: 'viewer' } }),
  resetServiceAccountKey: async (world) => byBoth(world, { path: { userId: await createServiceAccount(world) } }),

  // Webhooks
  listWebhooks: async (world) => {
    await createWebhook(world);
    return byBoth(world, {}, { query: 'limit=1' });
  },
  createWebhook: (world) =>
    byBoth(world, { body: { url: nowhere } }, { body: { url: nowhere, events: ['label.moved'], description: 'Test', enabled: false } }),
  getWebhook: async (world) => byBoth(world, { path: await createWebhook(world) }),
  changeWebhook: async (world) => byBoth(world, { path: await createWebhook(world), body: { events: 'all', enabled: false } }),
  deleteWebhook: async (world) => byKey(world, { path: await createWebhook(world) }),
  rotateWebhookSecret: async (world) => byBoth(world, { path: await createWebhook(world) }),
  testWebhook: async (world) => byBoth(world, { path: await createWebhook(world) }),
  listDeliveries: async (world) => {
    const { id } = await createDelivery(world);
    return byBoth(world, { path: { id } }, { path: { id }, query: 'limit=1' });
  },
  replayDelivery: async (world) => byBoth(world, { path: await createDelivery(world) }),

  readLangfuse: (world) => byBoth(world, { body: { url: world.models.url, publicKey: 'pk', secretKey: 'sk', page: 1 } }),

  // Models, runs and checks
  listModels: async (world) => {
    await createModel(world);
    return byBoth(world, {}, { query: 'limit=1' });
  },
  createModel: (world) =>
    byKey(world, { body: { name: newName(), baseUrl: nowhere } }, { body: { ...newModel(), prices: { a: { input: 1, output: 2.5 } } } }),
  changeModel: async (world) => byBoth(world, { path: await createModel(world), body: { models: ['b'], apiKey: null } }),
  deleteModel: async (world) => byKey(world, { path: await createModel(world) }),
  testModel: async (world) => byBoth(world, { path: await createModel(world) }, { path: await createModel(world, world.models.url) }),
  runPrompt: async (world) => {
    const { id: connection } = await createModel(world, world.models.url);
    const variables = { question: 'Where?' };
    const { id: candidate } = await createCandidate(world, { ...newCandidate, template: 'Kindly reply {{ question }}' });
    const bodies = [
      { variables, connection },
      { variables, connection, candidate },
    ];
    return byBoth(world, ...bodies.map((body) => ({ path: text, headers: json, body })));
  },
  runDraft: async (world) => {
    const { id: connection } = await createModel(world, world.models.url);
    const body = { messages: [{ role: 'user', content: 'Hi' }], config: { temperature: 1 }, connection };
    return byBoth(world, { headers: json, body: { ...body, name: text.name } });
  },
  listRuns: async (world) => {
    await createRun(world);
    return byBoth(world, { path: text }, { path: text, query: 'limit=1' });
  },
  getRun: async (world) => byBoth(world, { path: { ...text, id: await createRun(world) } }),
  listCases: async (world) => {
    await createCase(world);
    return byBoth(world, { path: text }, { path: text, query: 'limit=1' });
  },
  createCase: (world) => byBoth(world, { path: text, body: newCase }, { path: text, body: { name: 'Empty' } }),
  importCases: (world) => byBoth(world, { path: text, body: { data: [newCase] } }),
  changeCase: async (world) => byBoth(world, { path: { ...text, id: await createCase(world) }, body: { name: 'Renamed', checks: [] } }),
  deleteCase: async (world) => byKey(world, { path: { ...text, id: await createCase(world) } }),
  runChecks: async (world) => {
    await createCase(world);
    const { id: connection } = await createModel(world, world.models.url);
    return byBoth(world, { path: text, headers: json, body: { connection } });
  },
  listChecks: async (world) => {
    await createCheck(world);
    return byBoth(world, { path: text }, { path: text, query: 'limit=1' });
  },
  getCheck: async (world) => byBoth(world, { path: { ...text, id: await createCheck(world) } }),

  // Statistics
  getStatistics: async (world) => {
    await world.service.ctx.recorder.flush();
    return byBoth(world, {}, { query: 'interval=day&timeZone=Asia/Kolkata' }, { query: `member=${world.owner.userId}` });
  },
  reportResults: (world) =>
    byBoth(world, { body: { calls: [{ prompt: text.name, version: 1, model: 'm', durationMs: 5, error: 'timeout' }] } }),
  reportTraces: (world) => byBoth(world, { body: {} }, { body: { resourceSpans: [{ scopeSpans: [{ spans: [{}] }] }] } }),
  reportLogs: (world) => byBoth(world, { body: {} }),
  reportLangfuseTraces: (world) => byBoth(world, { body: {} }),
  reportLangfuseEvents: (world) =>
    byBoth(world, {
      body: {
        batch: [
          { id: 'e1', type: 'sdk-log', body: {} },
          { id: 'e2', type: 'score-create' },
        ],
      },
    }),
  createLangfuseScore: (world) => byBoth(world, { body: { traceId: 't1', name: 'helpful', value: 1 } }),
  sendFeedback: (world) =>
    byBoth(
      world,
      { body: { prompt: text.name, name: 'helpful', value: true, comment: 'Thanks' } },
      { body: { prompt: text.name, version: 1, name: 'tone', value: 'warm' } },
    ),
  createFeedbackToken: (world) => byBoth(world, { body: { prompt: text.name, version: 1 } }),
  sendBrowserFeedback: async (world) => [{ body: { token: await createFeedbackToken(world), name: 'helpful', value: 1 } }],
  getResults: (world) => byBoth(world, {}, { query: 'interval=day' }),
  getPromptResults: (world) => byBoth(world, { path: text }, { path: text, query: 'interval=day&version=1' }),
  listComments: (world) => byBoth(world, { path: text, query: 'limit=1' }),
  getRunStatistics: async (world) => {
    await world.service.ctx.recorder.flush();
    return byBoth(world, {}, { query: 'interval=day' });
  },
  listWorkspaceActivity: async (world) => {
    await world.service.ctx.recorder.flush();
    return byBoth(world, {}, { query: 'limit=1' }, { query: `type=labels&by=${world.owner.userId}` });
  },
  listActivity: async (world) => {
    await world.service.ctx.recorder.flush();
    return byBoth(world, {}, { query: 'limit=1' });
  },

  // Health and description
  health: () => [{}],
  readiness: () => [{}],
  openapi: () => [{}],
};

for (const engine of engines) {
  describe(`Responses match openapi.json and contain nothing else (${engine.name})`, () => {
    let service: Service;
    let world: World;
    before(async () => {
      const provider = await startIdentityProvider();
      const env = { ...(await providerEnv(provider.settings())), QUOTA_MODELS: 'unlimited' };
      service = await startService({ engine, env });
      const newAccount = () => signUp(service);
      world = { service, newAccount, owner: await newAccount(), models: await startModels(), provider };
      await fill(world);
      stopClock();
    });
    after(async () => {
      mock.timers.reset();
      await service.close();
      await world.models.close();
      await world.provider.close();
    });

    it('every operation is requested', () => {
      const missing = [...operations.keys()].filter((operationId) => !requests[operationId]);
      assert.deepEqual(missing, [], 'add a successful request of each to "requests" in test/http/contract.test.ts');
      const unknown = Object.keys(requests).filter((operationId) => !operations.has(operationId));
      assert.deepEqual(unknown, [], 'no longer operations: remove them from "requests" in test/http/contract.test.ts');
    });

    for (const [operationId, operation] of operations) {
      it(`${operation.method} ${operation.path}`, async () => {
        const sent = (await requests[operationId]?.(world)) ?? [];
        assert.ok(sent.length > 0);
        for (const request of sent) {
          const first = await send(world.service, operation, request);
          assertMatches(operation, first);
          assertCaching(operation, first);
          if (operation.method !== 'GET') continue;
          // The second response comes from the fast path, if that serves the operation.
          const second = await send(world.service, operation, request);
          assertMatches(operation, second);
          assertCaching(operation, second);
          if (first.headers.has('etag')) assert.equal(second.text, first.text);
        }
      });
    }
  });
}

describe('GET and HEAD', () => {
  it('ASVS 3.5.3: change nothing in the database, by key and by session', async (t) => {
    // The test needs PostgreSQL, because no other process can read the embedded database while the service runs.
    const provider = await startIdentityProvider();
    const service = await startService({ engine: postgres, env: await providerEnv(provider.settings()) });
    const models = await startModels();
    const reader = new pg.Client(service.database.env.DATABASE_URL);
    t.after(async () => {
      await reader.end();
      await service.close();
      await models.close();
      await provider.close();
    });
    await reader.connect();
    const newAccount = () => signUp(service);
    const world: World = { service, newAccount, owner: await newAccount(), models, provider };
    await fill(world);
    for (const [operationId, operation] of operations) {
      if (operation.method !== 'GET') continue;
      const sent = (await requests[operationId]?.(world)) ?? [];
      await Promise.all([service.ctx.mails.drain(60_000), service.ctx.background.drain(60_000)]);
      await service.ctx.recorder.flush();
      const before = await readRows(reader);
      for (const request of sent) {
        for (const method of ['GET', 'HEAD']) {
          const { status } = await send(service, { ...operation, method }, request);
          assert.equal(status, 200, `${method} ${operation.path}`);
        }
      }
      await Promise.all([service.ctx.mails.drain(60_000), service.ctx.background.drain(60_000)]);
      await service.ctx.recorder.flush();
      assert.deepEqual(await readRows(reader), before, operation.path);
    }
  });
});

const countingTables = new Set(['call_statistics', 'prompt_statistics', 'render_errors', 'key_uses', 'usage_blocks', 'statistics_writers']);

/** Reads all rows of all tables except the statistics, each with the name of its table. */
async function readRows(reader: pg.Client): Promise<unknown[]> {
  const { rows: tables } = await reader.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  // A single query takes a fraction of the time of a query for each table.
  const selects = tables
    .filter(({ name }) => !countingTables.has(name))
    .map(({ name }) => `select '${name}' as name, t::text as content from "${name}" t`);
  return (await reader.query(`${selects.join(' union all ')} order by 1, 2`)).rows;
}

/**
 * Shared caches must never store a response that depends on the caller. The caller's own cache may store such a response if it revalidates
 * the response each time.
 */
function assertCaching({ method, path }: Operation, { headers }: ApiResponse): void {
  const caching = headers.get('cache-control');
  if (path === '/api/openapi.json') assert.equal(caching, 'no-cache');
  else if (method === 'GET' && headers.has('etag')) assert.equal(caching, 'private, no-cache', `${method} ${path}`);
  else assert.equal(caching, 'no-store', `ASVS 14.3.2: ${method} ${path}`);
}

async function fill({ service, owner }: World): Promise<void> {
  const client = await newClient(service, owner);
  await client.create({ name: 'shared/tone', template: 'Be {{ mood | default: "kind" }}.' });
  await client.create({
    ...text,
    template: "{% render 'shared/tone' %} {{ question }}",
    description: 'Replies',
    tags: ['support', 'mail'],
    config: { model: 'some-model', nested: { any: [1, null] } },
    message: 'First',
  });
  await client.save(text.name, { template: 'Reply: {{ question }}', labels: ['staging', 'old'] });
  await client.create({ ...chat, messages: [{ role: 'system', content: 'About {{ topic }}' }, { placeholder: 'history' }] });
  for (const name of ['binned', 'moved']) await client.create({ name, template: 'x' });
  await client.call('DELETE', '/api/prompts/binned');
  // Creates every kind of history entry.
  await client.call('PATCH', '/api/prompts/moved', { name: 'renamed', description: 'New' });
  await client.save('renamed', { template: 'y' });
  await client.call('DELETE', '/api/prompts/renamed/versions/2');
  await client.call('DELETE', '/api/prompts/renamed/labels/production');
  await client.call('DELETE', '/api/prompts/renamed');
  await client.call('POST', '/api/prompts/renamed/restore');
  await client.render(text.name, {});
}

/** Signs a new person in at the provider, and returns the cookie of the session. */
async function signInAtProvider({ service, provider }: World): Promise<string> {
  const browser = createBrowser(service);
  return cookieOf(await browser.signIn(provider, newPerson()));
}

/** Creates an account that has requested another email address. */
async function changeEmail({ service, newAccount }: World) {
  const account = await newAccount();
  const body = { email: `${newName()}@example.com`, password: account.password };
  const { status } = await callFromPage(service, 'POST', '/api/account/email', { cookie: account.cookie, body });
  assert.equal(status, 202);
  return account;
}

/** Creates a team workspace for the owner and returns its id. */
async function newView({ service, owner }: World): Promise<string> {
  const { body } = await call(service, 'POST', '/api/views', { key: owner.token, body: { name: newName(), filters: { tag: 'support' } } });
  return (body as { id: string }).id;
}

async function newTeam({ service, owner }: World): Promise<string> {
  const { body } = await call(service, 'POST', '/api/workspaces', { key: owner.token, body: { name: 'Support' } });
  return (body as { id: string }).id;
}

async function invite(
  { service, owner }: World,
  email = `${newName()}@example.com`,
): Promise<{ id: string; email: string; token: string }> {
  const body = { email, role: 'viewer' };
  const response = await call(service, 'POST', '/api/members/invitations', { key: owner.token, body });
  assert.equal(response.status, 201, response.text);
  const { id, url } = response.body as { id: string; url: string };
  return { id, email, token: url.split('/').at(-1) ?? '' };
}

async function createFeedbackToken({ service, owner }: World): Promise<string> {
  const { body } = await call(service, 'POST', '/api/feedback/tokens', { key: owner.token, body: { prompt: text.name, version: 1 } });
  return (body as { token: string }).token;
}

async function createServiceAccount({ service, owner }: World): Promise<string> {
  const body = { name: 'A program', role: 'viewer' };
  const response = await call(service, 'POST', '/api/members/service-accounts', { key: owner.token, body });
  assert.equal(response.status, 201, response.text);
  return (response.body as { userId: string }).userId;
}

/** An address at which nothing listens. */
const nowhere = 'http://127.0.0.1:1/hooks';

async function createWebhook({ service, owner }: World): Promise<{ id: string }> {
  const response = await call(service, 'POST', '/api/webhooks', { key: owner.token, body: { url: nowhere } });
  assert.equal(response.status, 201, response.text);
  return { id: (response.body as { id: string }).id };
}

const json = { accept: 'application/json' };
const newCase = { name: 'A', variables: { question: 'Where?' }, checks: [{ kind: 'contains', value: 'Hello' }] };
const newModel = (baseUrl = nowhere) => ({ name: newName(), baseUrl, models: ['a'], apiKey: 'sk-a-key-that-is-long-enough' });
const completion = {
  choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 1 },
};

function startModels(): Promise<RawServer> {
  return startRawServer((req, res) => {
    const body = req.method === 'GET' ? { data: [{ id: 'a' }] } : completion;
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
}

async function createOne({ service, owner }: World, path: string, body: object, status = 201): Promise<{ id: string }> {
  const response = await call(service, 'POST', path, { key: owner.token, body, headers: json });
  assert.equal(response.status, status, response.text);
  return { id: (response.body as { id: string }).id };
}

function createModel(world: World, baseUrl?: string): Promise<{ id: string }> {
  return createOne(world, '/api/models', newModel(baseUrl));
}

const ofText = (rest: string) => `/api/prompts/${encodeURIComponent(text.name)}${rest}`;

async function createRun(world: World): Promise<string> {
  const { id: connection } = await createModel(world, world.models.url);
  return (await createOne(world, ofText('/run'), { variables: { question: 'Where?' }, connection }, 200)).id;
}

async function createCase(world: World): Promise<string> {
  return (await createOne(world, ofText('/cases'), newCase)).id;
}

async function createCheck(world: World): Promise<string> {
  await createCase(world);
  const { id: connection } = await createModel(world, world.models.url);
  return (await createOne(world, ofText('/checks'), { connection }, 200)).id;
}

async function createDelivery(world: World): Promise<{ id: string; deliveryId: string }> {
  const { id } = await createWebhook(world);
  const response = await call(world.service, 'POST', `/api/webhooks/${id}/test`, { key: world.owner.token });
  assert.equal(response.status, 200, response.text);
  return { id, deliveryId: (response.body as { id: string }).id };
}

async function createPrompt({ service, owner }: World): Promise<string> {
  const name = newName();
  const { status } = await call(service, 'POST', '/api/prompts', { key: owner.token, body: { name, template: 'x' } });
  assert.equal(status, 201);
  return name;
}

const newRelease = {
  control: 1,
  arms: [{ version: 2, weight: 500 }],
  rules: [{ if: { plan: ['internal'] }, version: 2 }],
  metric: 'score:helpful',
  guards: [{ metric: 'score:helpful', margin: 0.1 }],
  steps: [1000],
};

/** Creates a prompt with two versions. Returns the path of its label. */
async function createReleasable(world: World): Promise<Record<string, string>> {
  const client = await newClient(world.service, world.owner);
  const name = await createPrompt(world);
  await client.save(name, { template: 'y' });
  return { name, label: 'production' };
}

async function startedRelease(world: World): Promise<Request> {
  const path = await createReleasable(world);
  const { status } = await call(world.service, 'PUT', `/api/prompts/${path.name}/labels/production/release`, {
    key: world.owner.token,
    body: newRelease,
  });
  assert.equal(status, 200);
  return { path };
}

const newCandidate = {
  title: 'Kinder',
  template: "Kindly reply {{ question }} {% render 'nobody' %}",
  message: 'Kinder',
  config: { any: true },
};

async function createCandidate({ service, owner }: World, content = newCandidate): Promise<{ name: string; id: string }> {
  const { status, body } = await call(service, 'POST', '/api/prompts/support%2Freply/candidates', { key: owner.token, body: content });
  assert.equal(status, 201);
  return { ...text, id: (body as { id: string }).id };
}

async function createProposal({ service, owner }: World): Promise<{ id: string; revision: string }> {
  const changes = [{ prompt: text.name, label: 'proposed', version: 1 }];
  const { status, body } = await call(service, 'POST', '/api/proposals', { key: owner.token, body: { changes } });
  assert.equal(status, 201);
  return body as { id: string; revision: string };
}

async function createComment({ service, owner }: World, subject: object = { prompt: text.name, version: 1 }): Promise<{ id: string }> {
  const { status, body } = await call(service, 'POST', '/api/comments', { key: owner.token, body: { ...subject, text: 'Why?' } });
  assert.equal(status, 201);
  return body as { id: string };
}

function send(service: Service, { method, path }: Operation, { path: values = {}, query, ...options }: Request): Promise<ApiResponse> {
  const address = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(values[name] ?? ''));
  return callFromPage(service, method, query === undefined ? address : `${address}?${query}`, options);
}

function newChallenge(): { challenge: string; verifier: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Starts a sign-in of the command line, and returns the code that a person types. */
async function startCliSignIn(service: Service): Promise<{ code: string; verifier: string }> {
  const { challenge, verifier } = newChallenge();
  const { body } = await call(service, 'POST', '/api/auth/cli', { body: { challenge, computer: 'laptop' } });
  return { verifier, code: (body as { userCode: string }).userCode };
}
