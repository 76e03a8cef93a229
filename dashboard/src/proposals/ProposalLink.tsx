import { Link } from '@tanstack/react-router';

/** A link to the proposal that made a change. */
export function ProposalLink({ id }: { id: string }) {
  return (
    <Link
      to="/dashboard/proposals/$id"
      params={{ id }}
      className="rounded-sm font-medium text-accent-ink text-xs underline underline-offset-3"
    >
      With a proposal
    </Link>
  );
}
