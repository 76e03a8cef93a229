import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../lib/api.ts';
import { formatHoursAgo } from '../lib/format.ts';
import { ConnectionLine } from './ConnectionLine.tsx';

const refreshEveryMs = 3000;
/** The maximum number of polls. Polling starts again when the user returns to the page. */
const giveUpAfter = 200;

/** The time at which the last call was reported. While the page is visible, polls until a call has been reported. */
const lastReportQuery = queryOptions({
  queryKey: ['stats', 'results', 'last'],
  queryFn: () => call('getResults', { query: {} }),
  select: ({ lastReportedAt }) => lastReportedAt,
  refetchInterval: ({ state: { data, dataUpdateCount } }) =>
    (data && data.lastReportedAt !== null) || dataUpdateCount > giveUpAfter ? false : refreshEveryMs,
});

export function ResultsStatus() {
  const { data: lastReportedAt = null } = useQuery(lastReportQuery);
  return (
    <ConnectionLine isConnected={lastReportedAt !== null}>
      {lastReportedAt === null
        ? 'Waiting for the first reported call…'
        : `Receiving results. The last call was reported ${formatHoursAgo(lastReportedAt)}.`}
    </ConnectionLine>
  );
}
