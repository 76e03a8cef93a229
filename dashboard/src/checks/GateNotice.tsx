import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { messageOf } from '../lib/api.ts';
import { formatAgo } from '../lib/format.ts';
import type { Prompt } from '../lib/types.ts';
import { mayManage, useWorkspace } from '../lib/workspace.ts';
import { versionQuery } from '../prompts/queries.ts';
import { FormError } from '../ui/Field.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { Override } from './Override.tsx';
import { RunChecks } from './RunChecks.tsx';
import { describeOutcome } from './results.ts';
import type { Gate } from './use-gate.ts';

interface GateNoticeProps {
  gate: Gate;
  prompt: Prompt;
  version: number;
  label: string;
  /** The admin's reason for deploying without passing checks. Undefined if the admin does not override the gate. */
  override: string | undefined;
  onOverride: (reason: string | undefined) => void;
  onClose: () => void;
  /** Whether the notice offers no override, because the gate can be overridden only elsewhere, or not at all. */
  hasNoOverride?: boolean;
}

/** Says whether a gated label may move to a version. If not, offers to run the checks or to override the gate. */
export function GateNotice(props: GateNoticeProps) {
  const { gate, version, label } = props;
  if (gate.state === 'none') return null;
  if (gate.error !== undefined && gate.state === 'loading') return <FormError>{messageOf(gate.error)}</FormError>;
  if (gate.state === 'loading') return <Skeleton className="mb-4 h-10 w-full" />;
  if (gate.state === 'empty') {
    return (
      <p className="mb-4 text-ink-3 text-xs">{`${label} requires passing checks. This prompt has no test cases, so every version passes.`}</p>
    );
  }
  if (gate.state === 'passed') {
    return (
      <p role="status" className="mb-4 flex items-center gap-2 text-accent-ink">
        <CircleCheck aria-hidden className="size-4 shrink-0" />
        {`v${version} has passed ${describeCases(gate)}${gate.run ? `, ${formatAgo(gate.run.createdAt)}` : ''}.`}
      </p>
    );
  }
  return <ClosedGate {...props} />;
}

function ClosedGate({ gate, prompt, version, label, override, onOverride, onClose, hasNoOverride = false }: GateNoticeProps) {
  const { data: content } = useQuery(versionQuery(prompt.name, version));
  const canOverride = mayManage(useWorkspace());
  const { run } = gate;
  return (
    <section aria-label="Checks" className="mb-4 space-y-3 rounded-md border border-line bg-sunken p-3">
      <p role="status" className="flex items-start gap-2 text-warn">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="min-w-0">
          {run
            ? `${label} requires passing checks, but v${version} does not pass: ${describeOutcome(run)}.`
            : `${label} requires passing checks, but v${version} has not been checked with ${describeCases(gate)}.`}{' '}
          {run && (
            <Link
              to="/dashboard/prompts/$"
              params={{ _splat: prompt.name }}
              search={{ view: 'checks', check: run.id }}
              onClick={onClose}
              className="rounded-sm font-medium underline underline-offset-3"
            >
              See what failed
            </Link>
          )}
        </span>
      </p>
      <RunChecks
        prompt={prompt}
        subject={{ version }}
        content={content}
        cases={gate.cases}
        last={gate.last}
        label="Run the checks now"
        kind="primary"
      />
      {canOverride && !hasNoOverride && <Override text="Deploy without passing checks" value={override} onChange={onOverride} />}
    </section>
  );
}

function describeCases({ cases }: Gate): string {
  return cases.length === 1 ? 'the current test case' : `all ${cases.length} current test cases`;
}
