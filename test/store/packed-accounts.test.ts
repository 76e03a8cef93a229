import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Account } from '../../src/store/accounts/accounts.ts';
import { createPackedAccounts, type PackedAccounts } from '../../src/store/engine/packed-accounts.ts';

/** Half of the digests begin with the same 16 bytes, so that they share a slot of the hash table. */
const digests = Array.from({ length: 24 }, (_, index) => {
  const digest = index % 2 === 0 ? Buffer.alloc(32, 7) : randomBytes(32);
  digest.writeUInt32LE(index, 28);
  return digest;
});

const text = (maxLength: number) => fc.string({ unit: 'grapheme', maxLength });
const accounts: fc.Arbitrary<Account> = fc.record(
  {
    id: text(18),
    email: text(60),
    homeWorkspaceId: fc.option(fc.string({ minLength: 1, maxLength: 30 })),
    name: text(40),
    revision: fc.maxSafeNat(),
    keySerial: fc.nat({ max: 2 ** 31 }),
  },
  { noNullPrototype: true },
);

interface Step {
  kind: 'set' | 'find' | 'addIfRoom' | 'remove' | 'clear';
  digest: Buffer;
  account: Account;
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.oneof(
      { weight: 60, arbitrary: fc.constant('set' as const) },
      { weight: 60, arbitrary: fc.constant('find' as const) },
      { weight: 30, arbitrary: fc.constant('addIfRoom' as const) },
      { weight: 20, arbitrary: fc.constant('remove' as const) },
      { weight: 1, arbitrary: fc.constant('clear' as const) },
    ),
    digest: fc.constantFrom(...digests),
    account: accounts,
  }),
  { maxLength: 150, size: 'max' },
);

/** Performs a step on a plain Map too, which never evicts anything. */
function perform(packed: PackedAccounts, model: Map<Buffer, Account>, { kind, digest, account }: Step): void {
  if (kind === 'find') packed.find(digest);
  else if (kind === 'set') {
    packed.set(digest, account);
    model.set(digest, account);
  } else if (kind === 'addIfRoom') {
    const isKnown = packed.find(digest) !== undefined;
    if (packed.addIfRoom(digest, account) && !isKnown) model.set(digest, account);
  } else if (kind === 'remove') {
    packed.remove(digest);
    model.delete(digest);
  } else {
    packed.clear();
    model.clear();
  }
}

function accountNumber(number: number): Account {
  return {
    id: `u_${number}`,
    email: `${number}@example.com`,
    homeWorkspaceId: null,
    name: `Account ${number}`,
    revision: number,
    keySerial: 1,
  };
}

describe('Packed accounts', () => {
  it('never returns anything but the account that was set last, within its memory, in any order of steps', () => {
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 6000 }), steps, (maxBytes, given) => {
        const packed = createPackedAccounts(maxBytes);
        const model = new Map<Buffer, Account>();
        for (const step of given) {
          perform(packed, model, step);
          let found = 0;
          // Looking changes what is evicted next, so only this step's digest and, at the end, all are looked up.
          for (const digest of step === given.at(-1) ? digests : [step.digest]) {
            const account = packed.find(digest);
            if (!account) continue;
            assert.deepEqual(account, model.get(digest));
            found += 1;
          }
          if (step === given.at(-1)) assert.equal(packed.count, found);
          assert.ok(packed.bytes <= maxBytes, `${packed.bytes} of ${maxBytes} bytes`);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('holds exactly what a Map would while the memory is large enough', () => {
    fc.assert(
      fc.property(steps, (given) => {
        const packed = createPackedAccounts(1024 * 1024);
        const model = new Map<Buffer, Account>();
        for (const step of given) perform(packed, model, step);
        for (const digest of digests) assert.deepEqual(packed.find(digest), model.get(digest));
        assert.equal(packed.count, model.size);
      }),
      { numRuns: 100 },
    );
  });

  it('holds every account that was just set, whatever it had to evict', () => {
    const packed = createPackedAccounts(2000);
    for (let number = 0; number < 1000; number += 1) {
      const digest = randomBytes(32);
      const account = { ...accountNumber(number), name: 'n'.repeat(number % 200) };
      packed.set(digest, account);
      assert.deepEqual(packed.find(digest), account);
    }
  });

  it('finds an account only by its whole digest', () => {
    const packed = createPackedAccounts(4096);
    const digest = randomBytes(32);
    packed.set(digest, accountNumber(1));
    for (let bit = 0; bit < 256; bit += 1) {
      const other = Buffer.from(digest);
      other.writeUInt8(other.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      assert.equal(packed.find(other), undefined, `differs in bit ${bit}`);
    }
    assert.deepEqual(packed.find(digest), accountNumber(1));
  });

  it('takes at most 120 bytes for a typical account', () => {
    const packed = createPackedAccounts(1024 * 1024);
    const { bytes } = packed;
    const account = { ...accountNumber(1), id: 'u_mhz1k3p0_0015f0c9a7e21d4b836', email: 'first.last@example.com', name: 'First Last' };
    for (let time = 0; time < 1000; time += 1) packed.set(randomBytes(32), account);
    assert.equal(packed.count, 1000);
    assert.ok(packed.bytes - bytes <= 120_000, `${packed.bytes - bytes} bytes for 1000`);
  });

  it('takes no memory for digests that are not found', () => {
    const packed = createPackedAccounts(4096);
    packed.set(randomBytes(32), accountNumber(1));
    const { bytes, count } = packed;
    for (let time = 0; time < 1000; time += 1) assert.equal(packed.find(randomBytes(32)), undefined);
    assert.deepEqual({ bytes: packed.bytes, count: packed.count }, { bytes, count });
  });

  it('keeps the accounts that call again while any number of others call once', () => {
    const packed = createPackedAccounts(16 * 1024);
    const regulars = Array.from({ length: 20 }, () => randomBytes(32));
    for (const [number, digest] of regulars.entries()) packed.set(digest, accountNumber(number));
    for (let number = 0; number < 5000; number += 1) {
      packed.set(randomBytes(32), accountNumber(number));
      if (number % 50 === 0) for (const digest of regulars) assert.ok(packed.find(digest), `evicted after ${number} others`);
    }
  });

  it('evicts those that have not been called, and only as many as it must', () => {
    const packed = createPackedAccounts(16 * 1024);
    const known: Buffer[] = [];
    for (let digest = randomBytes(32); packed.addIfRoom(digest, accountNumber(1)); digest = randomBytes(32)) known.push(digest);
    const called = known.filter((_, index) => index % 2 === 0);
    for (const digest of called) packed.find(digest);
    const others = Array.from({ length: known.length - called.length }, () => randomBytes(32));
    for (const digest of others) packed.set(digest, accountNumber(1));
    assert.equal(packed.count, known.length);
    for (const digest of [...called, ...others]) assert.ok(packed.find(digest));
  });

  it('evicts those that called often but no longer do', () => {
    const packed = createPackedAccounts(16 * 1024);
    const former = randomBytes(32);
    packed.set(former, accountNumber(1));
    for (let time = 0; time < 100; time += 1) packed.find(former);
    // The former caller is passed twice: it moves once, and is evicted then.
    for (let number = 0; number < 1000; number += 1) packed.set(randomBytes(32), accountNumber(number));
    assert.equal(packed.find(former), undefined);
  });

  it('evicts nobody for accounts that change often', () => {
    const packed = createPackedAccounts(16 * 1024);
    const others = Array.from({ length: 60 }, () => randomBytes(32));
    for (const [number, digest] of others.entries()) packed.set(digest, accountNumber(number));
    const changing = randomBytes(32);
    for (let revision = 0; revision < 5000; revision += 1) {
      packed.remove(changing);
      packed.set(changing, { ...accountNumber(61), revision });
    }
    assert.equal(packed.count, 61);
    for (const [number, digest] of others.entries()) assert.deepEqual(packed.find(digest), accountNumber(number));
  });

  it('does not take an account that is too large for it, and forgets its former state', () => {
    const packed = createPackedAccounts(1024 * 1024);
    const digest = randomBytes(32);
    packed.set(digest, accountNumber(1));
    packed.set(digest, { ...accountNumber(1), name: 'n'.repeat(10_000) });
    assert.equal(packed.find(digest), undefined);
    assert.equal(packed.count, 0);
  });
});
