import type { Kysely } from 'kysely';
import { createTurnstile } from '../../platform/event-loop.ts';
import type { Database } from '../tables.ts';
import { conditionsOf, type Position, type PromptQuery, selectCandidates, sortColumnOf } from './prompt-query.ts';

/** Prompts that one query looks at, whether they are on the page or not. */
const windowRows = 100;

const takeTurn = createTurnstile();

interface FoundPrompts {
  /** In the order of the page. */
  positions: Position[];
  /** Only if all prompts were to be counted. */
  total: number;
}

/**
 * Finds the prompts of a page with filters that no index answers. Looks at a window of prompts at a time, in the order of the page: so no
 * query takes long, however few of a large workspace's prompts are on the page. Those who look at the same time take turns.
 *
 * With `skip`, the page begins after so many prompts, and all are counted.
 */
export async function findPrompts(db: Kysely<Database>, accountId: string, query: PromptQuery, skip?: number): Promise<FoundPrompts> {
  // A prompt that is renamed meanwhile may come twice.
  const found = new Map<string, Position>();
  for await (const position of walk(db, accountId, query)) {
    found.set(position.id, position);
    if (skip === undefined && found.size === query.limit) break;
  }
  const start = skip ?? 0;
  return { positions: [...found.values()].slice(start, start + query.limit), total: found.size };
}

async function* walk(db: Kysely<Database>, accountId: string, query: PromptQuery): AsyncGenerator<Position> {
  const part = query.search?.toLowerCase() ?? '';
  for (let after = query.after; ; ) {
    const window = await selectWindow(db, accountId, { ...query, after }).execute();
    for (const { id, value, isFound, searchName, searchDescription } of window) {
      const isOnPage = isFound && (part === '' || searchName?.includes(part) || searchDescription?.includes(part));
      if (isOnPage) yield { id, value: value ?? '' };
    }
    const last = window.at(-1);
    if (!last || window.length < windowRows) return;
    after = { value: last.value ?? '', id: last.id };
    await takeTurn(accountId);
  }
}

/**
 * Only what an index has or what comes before the description in a row, which may be long. The search itself is not in SQL, where `like`
 * takes the product of both lengths: 10,000 hostile descriptions and a hostile search took 9 seconds.
 */
function selectWindow(db: Kysely<Database>, accountId: string, query: PromptQuery) {
  const prompts = db.selectFrom('prompts').where('account_id', '=', accountId);
  return selectCandidates(prompts, query)
    .limit(windowRows)
    .select((eb) => {
      const isFound = eb.and(conditionsOf(eb, query));
      return [
        'id',
        eb.ref(sortColumnOf(query)).as('value'),
        eb.case().when(isFound).then(1).else(0).end().as('isFound'),
        ...(query.search
          ? [
              eb.case().when(isFound).then(eb.ref('search_name')).end().as('searchName'),
              eb.case().when(isFound).then(eb.ref('search_description')).end().as('searchDescription'),
            ]
          : []),
      ];
    });
}
