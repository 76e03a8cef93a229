import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { MemberRole } from '../../src/contract/roles.ts';
import { createMembershipIndex, type MembershipIndex, type MembershipSource } from '../../src/store/engine/sqlite-membership-index.ts';

/** Memberships as the embedded database would hold them, with the number of reads. */
function createSource() {
  const roles = new Map<string, MemberRole>();
  const revisions = new Map<string, number>();
  let notify: Parameters<MembershipSource['onMembershipChange']>[0] = () => assert.fail('nobody listens');
  let reads = 0;
  const source: MembershipSource = {
    findMembership(workspaceId, accountId) {
      reads += 1;
      const role = roles.get(`${workspaceId}/${accountId}`);
      const revision = revisions.get(workspaceId) ?? 0;
      return role && { workspaceId, revision, role };
    },
    onMembershipChange(listener) {
      notify = listener;
    },
  };
  return {
    source,
    roles,
    revisions,
    changed: (workspaceId: string, accountId: string) => notify(workspaceId, accountId),
    /** The number of reads since the last time. */
    takeReads() {
      const count = reads;
      reads = 0;
      return count;
    },
  };
}

describe('The membership index of the embedded engine', () => {
  it('reads a member once, and after a change of the role or of the workspace', () => {
    const { source, roles, revisions, changed, takeReads } = createSource();
    const index = createMembershipIndex(source, 10);
    roles.set('u_w/u_a', 'viewer');
    for (const reads of [1, 0, 0]) {
      assert.deepEqual(index.find('u_w', 'u_a'), { workspaceId: 'u_w', revision: 0, role: 'viewer' });
      assert.equal(takeReads(), reads);
    }
    roles.set('u_w/u_a', 'editor');
    changed('u_w', 'u_a');
    revisions.set('u_w', 5);
    index.removeWorkspace('u_w');
    for (const reads of [1, 0]) {
      assert.deepEqual(index.find('u_w', 'u_a'), { workspaceId: 'u_w', revision: 5, role: 'editor' });
      assert.equal(takeReads(), reads);
    }
  });

  it('holds nothing of the many workspaces that a stranger asks for, and keeps the members that it has', () => {
    const { source, roles, takeReads } = createSource();
    const index = createMembershipIndex(source, 10);
    roles.set('u_w/u_a', 'viewer');
    assert.ok(index.find('u_w', 'u_a'));
    takeReads();
    for (let number = 0; number < 100_000; number += 1) index.find(`u_${number}`, 'u_stranger');
    assert.equal(index.count, 1);
    assert.equal(takeReads(), 100_000);
    assert.ok(index.find('u_w', 'u_a'));
    assert.equal(takeReads(), 0);
  });

  it('reads nothing for a text that is not the id of a workspace', () => {
    const { source, takeReads } = createSource();
    const index = createMembershipIndex(source, 10);
    for (const text of ['', 'u_', 'w_1', 'u_a, u_b', 'u_a ', `u_${'a'.repeat(61)}`, 'u_ä'])
      assert.equal(index.find(text, 'u_a'), undefined);
    assert.equal(takeReads(), 0);
  });

  it('never holds more than it may and never returns anything stale, in any order of lookups and changes', () => {
    const step = fc.record({
      kind: fc.constantFrom('find', 'find', 'find', 'put', 'remove', 'write', 'clear'),
      workspaceId: fc.constantFrom('u_v', 'u_w', 'u_x', 'u_y'),
      accountId: fc.constantFrom('u_a', 'u_b', 'u_c'),
      role: fc.constantFrom<MemberRole>('viewer', 'editor', 'admin'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const held = createSource();
        const index: MembershipIndex = createMembershipIndex(held.source, 3);
        for (const { kind, workspaceId, accountId, role } of steps) {
          if (kind === 'put') held.roles.set(`${workspaceId}/${accountId}`, role);
          if (kind === 'remove') held.roles.delete(`${workspaceId}/${accountId}`);
          if (kind === 'put' || kind === 'remove') held.changed(workspaceId, accountId);
          if (kind === 'write') {
            held.revisions.set(workspaceId, (held.revisions.get(workspaceId) ?? 0) + 1);
            index.removeWorkspace(workspaceId);
          }
          if (kind === 'clear') index.clear();
          assert.deepEqual(index.find(workspaceId, accountId), held.source.findMembership(workspaceId, accountId));
          assert.ok(index.count <= 3);
        }
      }),
      { numRuns: 300 },
    );
  });
});
