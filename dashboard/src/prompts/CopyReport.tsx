import { TriangleAlert } from 'lucide-react';
import { plural } from '../lib/format.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import type { CopyReport as Report } from './copy-prompts.ts';

interface CopyReportProps {
  report: Report;
  move: boolean;
  target: string;
  onClose: () => void;
}

/** Lists the prompts that were copied, and the prompts that were not. */
export function CopyReport({ report: { done, problems }, move, target, onClose }: CopyReportProps) {
  const act = move ? 'moved' : 'copied';
  const failed = problems.filter(({ isFailure }) => isFailure);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={failed.length > 0 ? `Not all prompts were ${act}` : `${plural(done.length, 'prompt')} ${act}`}
    >
      <p className="mb-3">
        {plural(done.length, 'prompt')} {act} to {target}
        {failed.length > 0 && `, ${failed.length} not ${act}`}.
      </p>
      <ul aria-label="Problems" className="mb-4 max-h-72 space-y-2 overflow-y-auto">
        {problems.map(({ name, text, isFailure }) => (
          <li key={`${name} ${text}`} className="flex items-start gap-2">
            <TriangleAlert aria-hidden className={`mt-0.5 size-4 shrink-0 ${isFailure ? 'text-danger' : 'text-warn'}`} />
            <span className="min-w-0 wrap-anywhere">
              <span className="font-medium">{name}</span>
              <span className="block text-ink-2">{text}</span>
            </span>
          </li>
        ))}
      </ul>
      <div className="flex justify-end">
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}
