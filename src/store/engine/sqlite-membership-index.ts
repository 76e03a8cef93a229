import { LRUCache } from 'lru-cache';
import { workspaceIdPattern } from '../../contract/limits.ts';
import type { MemberRole } from '../../contract/roles.ts';
import type { Membership } from '../accounts/accounts.ts';

/** What the index needs from the embedded database. */
export interface MembershipSource {
  /** Reads a membership synchronously, or after an open transaction, whose changes are not committed yet. */
  findMembership(workspaceId: string, accountId: string): Membership | undefined | Promise<Membership | undefined>;
  /** Calls the listener for every membership that is updated or deleted, synchronously and before the commit. */
  onMembershipChange(listener: (workspaceId: string, accountId: string) => void): void;
}

export interface MembershipIndex {
  find(workspaceId: string, accountId: string): ReturnType<MembershipSource['findMembership']>;
  /** Forgets the revision of a workspace whose row has changed. */
  removeWorkspace(workspaceId: string): void;
  clear(): void;
  readonly count: number;
}

/**
 * The roles of members and the revisions of their workspaces in memory, for the embedded engine only. Like the key index it is never
 * stale: what changes is removed in the same synchronous step, before the commit. Only members are stored, so that a caller cannot
 * fill it with workspaces of others.
 */
export function createMembershipIndex(source: MembershipSource, maxMemberships: number): MembershipIndex {
  // By size, because by number the cache would allocate room for all of them at the start.
  const limit = { maxSize: maxMemberships, sizeCalculation: () => 1 };
  const roles = new LRUCache<string, MemberRole>(limit);
  // Apart from the roles, because every write to a workspace's prompts changes its revision.
  const revisions = new LRUCache<string, number>(limit);

  source.onMembershipChange((workspaceId, accountId) => roles.delete(keyOf(workspaceId, accountId)));

  return {
    find(workspaceId, accountId) {
      const revision = revisions.get(workspaceId);
      const role = revision === undefined ? undefined : roles.get(keyOf(workspaceId, accountId));
      if (revision !== undefined && role !== undefined) return { workspaceId, revision, role };
      if (!isWorkspaceId(workspaceId)) return undefined;
      const found = source.findMembership(workspaceId, accountId);
      // An asynchronous result is not stored, because the membership may change again before it arrives.
      if (found && !(found instanceof Promise)) {
        roles.set(keyOf(workspaceId, accountId), found.role);
        revisions.set(workspaceId, found.revision);
      }
      return found;
    },

    removeWorkspace: (workspaceId) => void revisions.delete(workspaceId),

    clear() {
      roles.clear();
      revisions.clear();
    },

    get count() {
      return roles.size;
    },
  };
}

const pattern = new RegExp(workspaceIdPattern);

function isWorkspaceId(text: string): boolean {
  return pattern.test(text);
}

function keyOf(workspaceId: string, accountId: string): string {
  return `${workspaceId} ${accountId}`;
}
