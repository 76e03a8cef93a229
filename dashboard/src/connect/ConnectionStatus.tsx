import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../lib/api.ts';
import { formatNumber } from '../lib/format.ts';
import type { Statistics } from '../lib/types.ts';

const refreshEveryMs = 3000;
/** The maximum number of polls. Polling starts again when the user returns to the page. */
const giveUpAfter = 200;

/** The calls by assistants in the last 24 hours. While the page is visible, polls until there is a call. */
const callsQuery = queryOptions({
  queryKey: ['stats', 'mcp'],
  queryFn: () => call('getStatistics', { query: {} }),
  select: countCalls,
  refetchInterval: ({ state: { data, dataUpdateCount } }) =>
    (data && countCalls(data) > 0) || dataUpdateCount > giveUpAfter ? false : refreshEveryMs,
});

export function ConnectionStatus() {
  const { data: calls = 0 } = useQuery(callsQuery);
  const isConnected = calls > 0;
  return (
    <p role="status" className={`flex items-center gap-2 ${isConnected ? 'font-medium text-accent-ink' : 'text-ink-2'}`}>
      <span aria-hidden className={`size-2 rounded-full ${isConnected ? 'bg-accent' : 'animate-pulse-soft bg-ink-3'}`} />
      {isConnected ? `Connected: ${formatCalls(calls)} in the last 24 hours.` : 'Waiting for an assistant’s first call…'}
    </p>
  );
}

function countCalls({ byRoute }: Statistics): number {
  return byRoute.filter(({ route }) => route.startsWith('MCP ')).reduce((sum, { calls }) => sum + calls, 0);
}

function formatCalls(calls: number): string {
  return calls === 1 ? '1 call' : `${formatNumber(calls)} calls`;
}
