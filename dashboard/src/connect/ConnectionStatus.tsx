import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../lib/api.ts';
import { formatNumber } from '../lib/format.ts';
import type { Statistics } from '../lib/types.ts';
import { ConnectionLine } from './ConnectionLine.tsx';

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
    <ConnectionLine isConnected={isConnected}>
      {isConnected ? `Connected: ${formatCalls(calls)} in the last 24 hours.` : 'Waiting for an assistant’s first call…'}
    </ConnectionLine>
  );
}

function countCalls({ byRoute }: Statistics): number {
  return byRoute.filter(({ route }) => route.startsWith('MCP ')).reduce((sum, { calls }) => sum + calls, 0);
}

function formatCalls(calls: number): string {
  return calls === 1 ? '1 call' : `${formatNumber(calls)} calls`;
}
