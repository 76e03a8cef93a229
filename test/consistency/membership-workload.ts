import { setTimeout as delay } from 'node:timers/promises';
import { newKey } from '../../src/domain/accounts/keys.ts';
import { newId } from '../../src/domain/ids.ts';
import { digestKey } from '../../src/store/accounts/key-digest.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { isCampaign } from '../support/campaign.ts';
import { call as send } from '../support/client.ts';
import type { TestDatabase } from '../support/engines.ts';
import { type Change, type Place, type Probe, places } from './membership-history.ts';
import type { Target } from './workload.ts';

interface Account {
  id: string;
  key: string;
}

interface Member extends Account {
  workspace: Account;
}

export interface MembershipWorkload {
  changes: Change[];
  probes: Probe[];
  /** Unexpected responses: they show no membership and are not a 503 with Retry-After. */
  surprises: string[];
  /** Lets the clients finish, then asks every target once more about every member. */
  stop(): Promise<void>;
}

const memberCount = 8;
const clientCount = 8;
// Leaves most of the CPU time to the other workload in `npm test`.
const defaultPauseMs = isCampaign ? 0 : 20;
// Clients give up after this time, which is longer than the service ever makes a caller wait, even when it is paused.
const giveUpMs = 20_000;

/** Adds, changes and removes members at random targets while clients use the members' keys there, and records every change and request. */
export async function startMembershipWorkload(
  targets: readonly Target[],
  database: Pick<TestDatabase, 'dataDir' | 'env'>,
  pauseMs = defaultPauseMs,
): Promise<MembershipWorkload> {
  const store = await openStore({ dataDir: database.dataDir, databaseUrl: database.env.DATABASE_URL });
  const changes: Change[] = [];
  const probes: Probe[] = [];
  const surprises: string[] = [];
  let running = true;

  /**
   * Returns whether the change was confirmed. A change that was not confirmed may take effect at any later time, for example when a paused
   * instance resumes.
   */
  async function change(member: Member, to: Place): Promise<boolean> {
    // The change is recorded before it is sent, because other clients may see its effect before its response arrives.
    const change: Change = { member: member.id, to, start: performance.now(), end: Infinity, outcome: 'unknown' };
    changes.push(change);
    const isConfirmed = await setPlace(member, to);
    Object.assign(change, { end: performance.now(), outcome: isConfirmed ? 'confirmed' : 'unknown' });
    return isConfirmed;
  }

  async function setPlace({ id, workspace }: Member, to: Place): Promise<boolean> {
    const isRemoval = to === 'stranger';
    const [method, options] = isRemoval ? ['DELETE', {}] : ['PATCH', { body: { role: to } }];
    const headers = { 'promptharbor-workspace': workspace.id };
    try {
      const signal = AbortSignal.timeout(giveUpMs);
      const response = await send(pick(targets), method, `/api/members/${id}`, { key: workspace.key, headers, ...options, signal });
      if (response.status === (isRemoval ? 204 : 200)) return true;
      if (response.status === 404 && !isRemoval) await store.memberships.put(workspace.id, id, to);
      if (response.status === 404) return true;
      if (response.status !== 503) surprises.push(`${method}: ${response.status} ${response.text}`);
    } catch {
      // The instance or the database became unavailable.
    }
    return false;
  }

  async function probe(member: Member, kind: keyof typeof requests, target: Target): Promise<void> {
    const start = performance.now();
    const place = await ask(member, kind, target);
    if (place) probes.push({ member: member.id, from: place[0], to: place[1], start, end: performance.now() });
    else await delay(5);
  }

  async function ask({ key, workspace }: Member, kind: keyof typeof requests, target: Target): Promise<[Place, Place] | undefined> {
    const { method, options, meanings } = requests[kind];
    const headers = { 'promptharbor-workspace': workspace.id };
    try {
      const response = await send(target, method, '/api/prompts', { key, headers, ...options, signal: AbortSignal.timeout(giveUpMs) });
      const meaning = meanings[response.status];
      if (!meaning && (response.status !== 503 || response.headers.get('retry-after') === null)) {
        surprises.push(`${method}: ${response.status} ${response.text}`);
      }
      return meaning;
    } catch (err) {
      if (err instanceof Error && err.name === 'TimeoutError') surprises.push(`${method}: no response within ${giveUpMs} ms`);
      // If an instance is killed, its clients see a broken connection.
      return undefined;
    }
  }

  const workspaces = [await insertAccount(store), await insertTeam(store), await insertTeam(store)];
  const newMember = async (): Promise<Member> => ({ ...(await insertAccount(store)), workspace: pick(workspaces) });
  const replaceMember = async (): Promise<Member> => {
    for (;;) {
      try {
        return await newMember();
      } catch {
        await delay(20);
      }
    }
  };
  const members: Member[] = [];
  for (let count = 0; count < memberCount; count += 1) members.push(await newMember());

  const changing = members.map(async (_member, index) => {
    while (running) {
      const member = members[index];
      // The state of a member is unknown after an unconfirmed change, so another member replaces it.
      if (member && !(await change(member, pick(places)))) members[index] = await replaceMember();
      await delay(2 * pauseMs * Math.random());
    }
  });
  const clients = Array.from({ length: clientCount }, async () => {
    while (running) {
      await probe(pick(members), Math.random() < 0.5 ? 'read' : 'write', pick(targets));
      await delay(pauseMs);
    }
  });

  return {
    changes,
    probes,
    surprises,
    async stop() {
      running = false;
      await Promise.all([...changing, ...clients]);
      for (const member of members) {
        await change(member, pick(places));
        for (const target of targets) {
          await probe(member, 'read', target);
          await probe(member, 'write', target);
        }
      }
      await store.close();
    },
  };
}

/** What each status says about the member. The body of the write is invalid, so that it changes nothing. */
const requests: Record<'read' | 'write', { method: string; options: object; meanings: Partial<Record<number, [Place, Place]>> }> = {
  read: { method: 'GET', options: {}, meanings: { 200: ['viewer', 'editor'], 404: ['stranger', 'stranger'] } },
  write: {
    method: 'POST',
    options: { body: {} },
    meanings: { 400: ['editor', 'editor'], 403: ['viewer', 'viewer'], 404: ['stranger', 'stranger'] },
  },
};

/** Inserts an account into the store, because a registration would hash the password, which is slow. */
async function insertAccount(store: Store): Promise<Account> {
  const [id, key] = [newId('u'), newKey()];
  await store.accounts.insert({ id, email: `${id}@example.com`, name: id, passwordHash: '', keyDigest: digestKey(key), keyCipher: '' });
  return { id, key };
}

/** Inserts a team workspace and returns the key of its owner. */
async function insertTeam(store: Store): Promise<Account> {
  const [owner, id] = [await insertAccount(store), newId('w')];
  await store.insertTeam({ id, name: id, email: `${id}@service.invalid` }, { accountId: owner.id, via: 'system' });
  return { id, key: owner.key };
}

function pick<T>(items: readonly T[]): T {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('Nothing to pick from');
  return item;
}
