import { useInfiniteQuery } from '@tanstack/react-query';
import type { Webhook } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { DeliveryRow } from './DeliveryRow.tsx';
import { deliveriesQuery } from './queries.ts';

/** Lists the deliveries of a webhook, updated live. */
export function DeliveryList({ webhook }: { webhook: Webhook }) {
  const deliveries = useInfiniteQuery(deliveriesQuery(webhook.id));
  const all = deliveries.data?.pages.flatMap(({ data }) => data);
  return (
    <Section
      title="Deliveries"
      description="Deliveries from the last 30 days, newest first."
      {...(deliveries.hasNextPage && {
        footer: (
          <Button busy={deliveries.isFetchingNextPage} onClick={() => deliveries.fetchNextPage()}>
            Show more
          </Button>
        ),
      })}
    >
      {deliveries.isPending && <Loading label="Loading deliveries" rows={4} />}
      {deliveries.isError && !all && <Problem error={deliveries.error} onRetry={() => deliveries.refetch()} />}
      {all?.length === 0 && <p className="text-ink-3">No deliveries yet. The next event appears here immediately.</p>}
      {all && all.length > 0 && (
        <ul className="-mx-4 -mb-4 divide-y divide-line border-line border-t sm:-mx-6 sm:-mb-6">
          {all.map((delivery) => (
            <DeliveryRow key={delivery.id} webhook={webhook} delivery={delivery} />
          ))}
        </ul>
      )}
    </Section>
  );
}
