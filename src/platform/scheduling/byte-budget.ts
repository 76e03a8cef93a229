import { addToCount } from '../add-to-count.ts';

export type ByteBudget = ReturnType<typeof createByteBudget>;

/** The memory that one request or run holds. */
export type Holding = ReturnType<ByteBudget['open']>;

export class BudgetError extends Error {
  override readonly name = 'BudgetError';
}

interface Held {
  workspaceId: string;
  bytes: number;
  /**
   * The controller is aborted when the work has to end because other work needs the memory. The bytes of the holding then already count as
   * free.
   */
  evicting: AbortController;
}

/**
 * Limits the memory that each workspace holds, and the total. A workspace that exceeds its own limit is refused. When the total is
 * exceeded, the workspace that holds the most loses its largest holding, so that no workspace is refused because of another.
 */
export function createByteBudget({ perTenant, total }: { perTenant: number; total: number }) {
  const holdings = new Set<Held>();
  const heldBy = new Map<string, number>();
  let heldByAll = 0;

  function change(held: Held, bytes: number): void {
    addToCount(heldBy, held.workspaceId, bytes);
    held.bytes += bytes;
    heldByAll += bytes;
  }

  function release(held: Held): void {
    if (holdings.delete(held)) change(held, -held.bytes);
  }

  /** Finds the largest holding of the workspace that holds the most memory. */
  function findLargest(): Held | undefined {
    let most: [string, number] | undefined;
    for (const entry of heldBy) if (!most || entry[1] > most[1]) most = entry;
    let largest: Held | undefined;
    for (const held of holdings) {
      if (held.workspaceId === most?.[0] && (!largest || held.bytes > largest.bytes)) largest = held;
    }
    return largest;
  }

  return {
    open(workspaceId: string) {
      const held: Held = { workspaceId, bytes: 0, evicting: new AbortController() };
      holdings.add(held);
      return {
        /** Sets the size of this holding. Throws a BudgetError if the size exceeds a limit, or if the holding was evicted. */
        set(bytes: number): void {
          if (!holdings.has(held)) throw new BudgetError(evictedText);
          change(held, bytes - held.bytes);
          if ((heldBy.get(workspaceId) ?? 0) > perTenant) {
            release(held);
            throw new BudgetError(
              `The runs of this workspace use more than ${perTenant / 1024 / 1024} MiB of memory. Run fewer at the same time`,
            );
          }
          while (heldByAll > total) {
            const largest = findLargest() ?? held;
            release(largest);
            if (largest === held) throw new BudgetError(evictedText);
            largest.evicting.abort(new BudgetError(evictedText));
          }
        },
        /** The signal is aborted with a BudgetError when this holding is evicted. */
        evicted: held.evicting.signal,
        close: () => release(held),
      };
    },
  };
}

const evictedText = 'The service is low on memory, and this workspace uses the most';
