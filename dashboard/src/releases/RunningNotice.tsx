import { Split } from 'lucide-react';
import { ReleaseLink } from './refusal.tsx';
import { describeArms, type LabelRelease } from './release.ts';

interface RunningNoticeProps {
  name: string;
  label: string;
  release: LabelRelease;
  /** Closes the dialog that contains the notice. */
  onLeave: () => void;
}

/** Says that a label cannot be moved or removed before its release has ended, and links to the release. */
export function RunningNotice({ name, label, release, onLeave }: RunningNoticeProps) {
  return (
    <p role="status" className="mb-4 flex items-start gap-2 rounded-md bg-warn-soft px-3 py-2 text-warn">
      <Split aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        {label} has a release: {describeArms(release.arms)}. Finish it or roll it back before you move or remove {label}.{' '}
        <ReleaseLink name={name} onLeave={onLeave} />
      </span>
    </p>
  );
}
