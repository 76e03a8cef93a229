import { Link } from '@tanstack/react-router';
import { formatDateTime } from '../lib/format.ts';
import type { PromptResults, Statistics } from '../lib/types.ts';
import { Badge } from '../ui/Badge.tsx';
import { Card } from '../ui/Card.tsx';
import { ArmRows, ReadsWithoutKey, unitColumns } from './ArmRows.tsx';
import { formatWeight, releaseStates } from './release.ts';

/** A release that divided callers in the period of statistics. The results also have the units and calls of its arms. */
type ReadRelease = NonNullable<Statistics['releases']>[number];
type ReportedRelease = PromptResults['releases'][number];

const reads = {
  field: 'reads',
  title: 'Reads',
  hint: 'Requests for the prompt in this period, in which the key (such as a user ID) or a rule chose this version',
} as const;

/** The releases in the period of the statistics, with the reads of each arm. */
export function ReadReleases({ name, releases }: { name: string; releases: ReadRelease[] }) {
  return releases.map((release) => (
    <ReleaseSummary key={release.id} name={name} release={release}>
      <ArmRows label={release.label} rows={release.arms} columns={[reads]} />
    </ReleaseSummary>
  ));
}

/** The releases in the period of the results, with the units and calls of each arm. */
export function ReportedReleases({ name, releases }: { name: string; releases: ReportedRelease[] }) {
  return releases.map((release) => (
    <ReleaseSummary key={release.id} name={name} release={release}>
      <ArmRows label={release.label} rows={release.arms} columns={[...unitColumns, reads]} />
    </ReleaseSummary>
  ));
}

function ReleaseSummary({ name, release, children }: { name: string; release: ReadRelease; children: React.ReactNode }) {
  const { label, state, startedAt, endedAt, arms, readsWithoutKey } = release;
  const { text, tone } = releaseStates[state];
  return (
    <Card className="p-4">
      <h2 className="flex flex-wrap items-center gap-2 font-semibold text-sm">
        <span className="wrap-anywhere">Release on {label}</span>
        <Badge tone={tone}>{text}</Badge>
      </h2>
      <p className="mb-2 text-ink-3 text-xs">
        {endedAt === null ? 'Since ' : ''}
        <Time at={startedAt} />
        {endedAt !== null && (
          <>
            {' to '}
            <Time at={endedAt} />
          </>
        )}
        {'. '}
        <Link
          to="/dashboard/prompts/$"
          params={{ _splat: name }}
          search={{ view: 'releases' }}
          className="rounded-sm font-medium text-accent-ink underline underline-offset-3"
        >
          Compare the arms
        </Link>
      </p>
      {children}
      <ReadsWithoutKey reads={readsWithoutKey} control={arms[0]?.version ?? 0} />
    </Card>
  );
}

function Time({ at }: { at: string }) {
  return <time dateTime={at}>{formatDateTime(at)}</time>;
}

/**
 * Shows a badge for each release of the label in which the version is an arm or the control. Without a label, shows the badges for all
 * releases.
 */
export function ArmBadges({ releases, version, label }: { releases: ReadRelease[]; version: number; label?: string }) {
  return releases
    .filter((release) => label === undefined || release.label === label)
    .flatMap(({ id, label: on, arms }) => {
      const found = arms.find((arm) => arm.version === version);
      if (!found) return [];
      const role = found.arm === 'control' ? 'control' : `arm ${formatWeight(found.weight)}`;
      return [
        <span key={id} title={`Release on ${on}`}>
          <Badge>{label === undefined && releases.length > 1 ? `${role} on ${on}` : role}</Badge>
        </span>,
      ];
    });
}
