import { Link } from '@tanstack/react-router';
import { formatAgo, formatDateTime } from '../lib/format.ts';
import type { Prompt } from '../lib/types.ts';
import { mayMove, useWorkspace } from '../lib/workspace.ts';
import { Badge } from '../ui/Badge.tsx';
import { Card } from '../ui/Card.tsx';
import { ArmTable } from './ArmTable.tsx';
import { GuardList } from './GuardList.tsx';
import { MetricList } from './MetricList.tsx';
import { NextStep } from './NextStep.tsx';
import { Plan } from './Plan.tsx';
import { ReleaseActions } from './ReleaseActions.tsx';
import { controlWeight, describeArms, isActive, type Release, releaseStates } from './release.ts';
import { SplitBar } from './SplitBar.tsx';

/** Shows how a release divides callers and how its versions compare, with the actions that the user may take. */
export function ReleaseCard({ prompt, release }: { prompt: Prompt; release: Release }) {
  const { label, state, control, arms, progress } = release;
  const workspace = useWorkspace();
  const canMove = mayMove(workspace, label);
  const active = isActive(release);
  return (
    <Card className="overflow-hidden">
      <div className="flex flex-wrap items-start justify-between gap-3 px-4 pt-4">
        <div className="min-w-0 flex-1 basis-72">
          <h2 className="flex flex-wrap items-center gap-2 font-semibold text-base">
            <span className="wrap-anywhere">
              Release on {label}: {describeArms(arms)}
            </span>
            <Badge tone={releaseStates[state].tone}>{releaseStates[state].text}</Badge>
          </h2>
          <p className="mt-1 text-ink-2">
            {explain(release)} <Times release={release} />
          </p>
        </div>
        {active && canMove && <ReleaseActions prompt={prompt} release={release} />}
        {active && !canMove && (
          <p className="max-w-xs text-ink-3 text-xs">
            {`Only ${workspace.protectedLabels.includes(label) ? 'deployers' : 'editors'} can change this release. Your role is ${workspace.role}.`}
          </p>
        )}
      </div>
      <div className="space-y-5 p-4">
        {active && <SplitBar control={control} arms={arms} />}
        <ArmTable release={release} />
        {progress && <GuardList release={release} results={progress.guards} />}
        {progress?.metric && <MetricList label={label} {...progress.metric} />}
        {active && <NextStep release={release} />}
        <Plan release={release} />
        <p className="flex flex-wrap gap-x-4 gap-y-1">
          <Link
            to="/dashboard/prompts/$"
            params={{ _splat: prompt.name }}
            search={{ view: 'results', range: '7d', label }}
            className={linkClass}
          >
            Results of {label}
          </Link>
          {arms.map(({ version }) => (
            <Link
              key={version}
              to="/dashboard/prompts/$"
              params={{ _splat: prompt.name }}
              search={{ view: 'history', from: control, to: version }}
              className={linkClass}
            >
              Compare v{control} with v{version}
            </Link>
          ))}
        </p>
      </div>
    </Card>
  );
}

const linkClass = 'rounded-sm font-medium text-accent-ink underline underline-offset-3 wrap-anywhere';

/** Says what the release does at the moment, and why. */
function explain({ state, cause, control, arms, steps }: Release): string {
  switch (state) {
    case 'running':
      if (controlWeight(arms) === 0) {
        return `Keys no longer get v${control}, so there is nothing to compare. Callers without a key get v${control} until you finish the release.`;
      }
      return `The same key always gets the same version. Callers without a key get v${control}.${
        steps.length === 0 ? ' This release has no steps, so only people can widen it.' : ''
      }`;
    case 'paused':
      return `${pauses[cause ?? 'person']} Callers keep their versions. The service neither widens the release nor rolls it back.`;
    case 'rolled_back':
      return `${rollbacks[cause ?? 'person']} Everyone gets v${control}, the version at the label.`;
    case 'finished':
      return 'This release has ended. Everyone gets the version at the label.';
  }
}

type Cause = NonNullable<Release['cause']>;

const pauses: Record<Cause, string> = {
  person: 'Someone paused this release.',
  regression: 'The service paused this release, because an arm was worse than a guard allows.',
  sample_ratio:
    'The service paused this release, because the numbers of units do not match the shares. The results cannot be trusted. Check that all programs report the calls of every version, with the release and the key.',
  not_allowed:
    'The service paused this release, because a version lacks the passing checks or approvals that the next step requires. Run the checks and resume it, or roll it back and propose a new release.',
  deleted: 'This release is paused.',
};

const rollbacks: Record<Cause, string> = {
  person: 'Someone rolled this release back.',
  regression: 'The service rolled this release back, because an arm was worse than a guard allows.',
  sample_ratio: 'The service rolled this release back, because the numbers of units do not match the shares.',
  not_allowed:
    'The service rolled this release back, because a version lacked the passing checks or approvals that the next step required.',
  deleted: 'This release ended when the prompt was deleted or moved to another workspace.',
};

function Times({ release: { startedAt, startedBy, endedAt, changedAt } }: { release: Release }) {
  return (
    <span className="text-ink-3">
      Started by {startedBy.name} <Time at={startedAt} />
      {endedAt !== null ? (
        <>
          , ended <Time at={endedAt} />
        </>
      ) : (
        changedAt !== startedAt && (
          <>
            , changed <Time at={changedAt} />
          </>
        )
      )}
      .
    </span>
  );
}

function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {formatAgo(at)}
    </time>
  );
}
