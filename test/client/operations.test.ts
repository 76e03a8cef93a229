import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type * as Client from '../../client/src/types.ts';
import { operations } from '../../client/src/types.ts';
import { version } from '../../client/src/version.ts';
import type { WorkspaceEvent } from '../../src/contract/events.ts';
import type { NewPrompt, PromptList } from '../../src/contract/prompts.ts';
import type { RenderedPrompt } from '../../src/contract/render.ts';
import type { SavedVersion, Version } from '../../src/contract/versions.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/**
 * Operations without a method in the client. Some operations need a session or a password, but a program has only a key. Other operations
 * belong to protocols that have their own clients. `readLangfuse` is for browsers, which cannot call Langfuse directly.
 */
const notWrapped = [
  ...['callMcp', 'listLangfusePrompts', 'createLangfusePrompt', 'getLangfusePrompt', 'deleteLangfusePrompt', 'labelLangfusePrompt'],
  ...['getLangfuseProjects', 'getLangfuseHealth', 'readLangfuse'],
  ...['reportTraces', 'reportLogs', 'reportLangfuseTraces', 'reportLangfuseEvents', 'createLangfuseScore'],
  ...['evaluateFlag', 'evaluateFlags'],
  ...['startPasskeySignIn', 'signInWithPasskey', 'confirmSession'],
  ...['listPasskeys', 'startPasskey', 'addPasskey', 'renamePasskey', 'removePasskey'],
  ...['getCliSignIn', 'approveCliSignIn', 'denyCliSignIn'],
  'acceptInvitation',
  'cancelEmailChange',
  'changePassword',
  'confirmEmailChange',
  'confirmTwoFactor',
  'deleteAccount',
  'deleteWorkspace',
  'endOtherSessions',
  'endProviderSessions',
  'endSession',
  'forgotPassword',
  'getSignInOptions',
  'linkIdentity',
  'listIdentities',
  'listSessions',
  'replaceRecoveryCodes',
  // Only people may review proposals, in the dashboard.
  'reviewProposal',
  'requestEmailChange',
  'resetPassword',
  'signIn',
  'signOut',
  'signOutEverywhere',
  'signUp',
  'startTwoFactor',
  'stopTwoFactor',
  'unlinkIdentity',
  'transferWorkspace',
  'verifyEmail',
  'whoAmI',
];

describe('the client', () => {
  it('has a method for every operation of openapi.json', () => {
    const { paths } = JSON.parse(read('openapi.json')) as { paths: Record<string, Record<string, { operationId: string }>> };
    const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    const sources = readdirSync(new URL('client/src/resources', root)).map((file) => read(`client/src/resources/${file}`));
    const called = [...sources.join('\n').matchAll(/\b(?:call|list)\('(\w+)'/g)].map(([, id]) => id);
    const all = [...called, 'streamEvents', 'exportPrompts', 'importPrompts', ...notWrapped];
    assert.deepEqual(
      ids.filter((id) => !all.includes(id)),
      [],
      'add a method, or say above why there is none',
    );
    assert.deepEqual(
      all.filter((id) => !ids.includes(id ?? '')),
      [],
    );
    assert.deepEqual(Object.keys(operations).sort(), ids.sort());
  });

  it('has the version of its package', () => {
    assert.equal((JSON.parse(read('client/package.json')) as { version: string }).version, version);
  });

  it('has the types of the contract', () => {
    // The compiler checks that the types of requests and responses match between service and client.
    const sent = <T>(_value?: T): void => {};
    sent<Same<Version, Client.Version>>();
    sent<Same<SavedVersion, Client.SavedVersion>>();
    sent<Same<PromptList, Client.PromptList>>();
    // In the client's types, the role of a message decides its fields. In the service's types, a message has any fields that callers send.
    sent<Same<Omit<RenderedPrompt, 'messages'>, Omit<Client.RenderedPrompt, 'messages'>>>();
    sent<Same<WorkspaceEvent, Client.WorkspaceEvent>>();
    sent<Same<NewPrompt, Client.NewPrompt>>();
  });
});

/** Compiles only if each type is assignable to the other. */
type Same<A extends B, B extends Back, Back = A> = [A, B, Back];
