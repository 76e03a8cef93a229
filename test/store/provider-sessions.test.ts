import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeKey } from '../../src/domain/accounts/keys.ts';
import { makeSession } from '../../src/domain/accounts/sessions.ts';
import { newId } from '../../src/domain/ids.ts';
import { AppError } from '../../src/errors.ts';
import { noPasswordHash } from '../../src/store/accounts/no-password.ts';
import { isCampaign } from '../support/campaign.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { createRandom, type Random } from '../support/random.ts';
import { type Service, startService } from '../support/service.ts';

const issuer = 'https://issuer.example';
const client = { address: '192.0.2.1', userAgent: undefined };
const rounds = isCampaign ? 100 : 2;
const peopleInRound = 12;

for (const engine of engines) {
  describe(`sessions that a provider ends (${engine.name})`, () => {
    let database: TestDatabase;
    let services: Service[] = [];
    before(async () => {
      database = await engine.createMigrated();
      services = await Promise.all(Array.from({ length: engine.shared ? 3 : 1 }, () => startService({ engine, database })));
    });
    after(async () => {
      for (const service of services) await service.close();
      await database?.remove();
    });

    const random = createRandom();
    const anyCtx = () => random.pick(services).ctx;

    async function newPerson() {
      const ctx = anyCtx();
      const id = newId('u');
      const passwordHash = noPasswordHash();
      const account = { id, email: `${id}@corp.example`, name: 'A person', passwordHash, ...makeKey(ctx, id).stored };
      assert.equal(
        await ctx.store.identities.register(account, { issuer, subject: id, email: account.email, isVerified: true }),
        undefined,
      );
      return { id, passwordHash, issuedAt: new Date(Math.floor(Date.now() / 1000) * 1000) };
    }

    type Person = Awaited<ReturnType<typeof newPerson>>;

    function providerOf({ id }: Person, sessionId: string | null) {
      return { issuer, subject: id, sessionId: sessionId === null ? null : `${sessionId} of ${id}` };
    }

    async function signIn(person: Person, sessionId: string | null, issuedAt = person.issuedAt) {
      const ctx = anyCtx();
      const { record } = makeSession(ctx, { accountId: person.id, client, provider: providerOf(person, sessionId) });
      const identity = { issuer, subject: person.id, issuedAt };
      const verified = { passwordHash: person.passwordHash, twoFactorConfirmedAt: null, hasPasskeys: false, identity };
      return (await ctx.store.sessions.insert(record, verified)) ? record.id : undefined;
    }

    /** Replaces a session as a password change does. The password stays the same, so that concurrent sign-ins continue to work. */
    async function replace(person: Person, sessionId: string): Promise<void> {
      const ctx = anyCtx();
      const provider = await ctx.store.sessions.findProvider(sessionId);
      const { record: session } = makeSession(ctx, { accountId: person.id, client, provider });
      const credential = { accountId: person.id, via: 'session', sessionId } as const;
      await ctx.store.accounts.replacePassword(credential, { passwordHash: person.passwordHash, session }).catch((err: unknown) => {
        // This error means that the session has ended. Deadlocks and all other errors are failures.
        if (!(err instanceof AppError) || err.code !== 'unauthorized') throw err;
      });
    }

    function logOut(person: Person, names: { sub?: boolean; sid?: string }) {
      return anyCtx().store.identities.acceptLogout({
        digest: newId('u'),
        issuer,
        subject: names.sub ? person.id : undefined,
        sessionId: names.sid && `${names.sid} of ${person.id}`,
        issuedAt: person.issuedAt,
      });
    }

    async function listSessionIds(person: Person): Promise<(string | null | undefined)[]> {
      const { store } = anyCtx();
      const sessions = await store.sessions.list(person.id, { now: new Date(), createdAfter: new Date(0) });
      const providers = await Promise.all(sessions.map(({ id }) => store.sessions.findProvider(id)));
      return providers.map((provider) => provider?.sessionId?.replace(` of ${person.id}`, '') ?? null);
    }

    const scenarios: {
      name: string;
      end(person: Person): Promise<unknown>;
      survivors: (string | null)[];
    }[] = [
      { name: 'a logout token with a subject', end: (person) => logOut(person, { sub: true }), survivors: [] },
      { name: 'a logout token with a session', end: (person) => logOut(person, { sid: 'one' }), survivors: ['two', null] },
      { name: 'a logout token with both', end: (person) => logOut(person, { sub: true, sid: 'one' }), survivors: ['two'] },
      {
        name: 'a refused sign-in',
        end: (person) => {
          const { id: accountId, issuedAt } = person;
          return anyCtx().store.identities.refuseSignIns({ accountId, provider: providerOf(person, 'three'), issuedAt });
        },
        survivors: [],
      },
    ];
    for (const { name, end, survivors } of scenarios) {
      it(`leaves no session that ${name} ends, while many sessions start and are replaced`, async () => {
        for (let round = 0; round < rounds; round += 1) {
          const people = await Promise.all(Array.from({ length: peopleInRound }, newPerson));
          const open = await Promise.all(people.map((person) => signIn(person, 'one')));
          const started = people.flatMap((person, index) => {
            const sessionId = open[index] ?? assert.fail('a sign-in before the logout succeeds');
            const starts = [
              () => signIn(person, 'one'),
              () => signIn(person, null),
              () => signIn(person, 'two'),
              () => signIn(person, 'one', new Date(person.issuedAt.getTime() - 5000)),
            ];
            return [...starts, () => replace(person, sessionId), () => end(person)];
          });
          await Promise.all(shuffle(random, started).map((start) => start()));
          for (const person of people) {
            const left = await listSessionIds(person);
            for (const each of left)
              assert.ok(survivors.includes(each ?? null), `a session of ${each} is alive after ${name}, seed ${random.seed}`);
            // A person can sign in again.
            assert.ok(await signIn(person, 'new', new Date(person.issuedAt.getTime() + 1000)));
          }
        }
      });
    }
  });
}

function shuffle<T>(random: Random, list: T[]): T[] {
  const ranked = list.map((value) => ({ value, rank: random.below(2 ** 30) }));
  return ranked.sort((one, other) => one.rank - other.rank).map(({ value }) => value);
}
