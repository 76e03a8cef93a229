import { Link } from '@tanstack/react-router';
import { CircleX } from 'lucide-react';
import type { RunProblem } from './runner.ts';

/** Says why a run failed, in the words of the server. */
export function ProblemNote({ problem: { message, details, code } }: { problem: RunProblem }) {
  return (
    <div role="alert" className="flex gap-2 rounded-md bg-danger-soft px-3 py-2 text-danger text-xs">
      <CircleX aria-hidden className="mt-px size-3.5 shrink-0" />
      <div className="min-w-0 space-y-1 wrap-anywhere">
        <p className="whitespace-pre-wrap">{message}</p>
        {details.map((detail) => (
          <p key={detail}>{detail}</p>
        ))}
        {code === 'budget_exceeded' && (
          <Link to="/dashboard/settings/models" className="rounded-sm font-medium underline underline-offset-3">
            Settings › Models
          </Link>
        )}
      </div>
    </div>
  );
}
