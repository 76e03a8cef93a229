import { Link } from '@tanstack/react-router';
import { plural } from '../lib/format.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';

export interface RefusedMove {
  name: string;
  /** The version to which the label could not be moved. */
  version: number;
}

interface RefusedDialogProps {
  label: string;
  refused: RefusedMove[];
  /** The number of prompts in which the label was moved. */
  deployed: number;
  onClose: () => void;
}

/** Lists the prompts in which a label was not moved because their checks have not passed, with links to them. */
export function RefusedDialog({ label, refused, deployed, onClose }: RefusedDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${plural(refused.length, 'prompt')} not deployed`}
      description={`${label} requires passing checks, but these versions have not passed the current test cases.${
        deployed > 0 ? ` ${label} was moved in the ${deployed === 1 ? 'other prompt' : `other ${deployed} prompts`}.` : ''
      }`}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <ul className="divide-y divide-line rounded-md border border-line">
        {refused.map(({ name, version }) => (
          <li key={name} className="flex items-center gap-3 px-3 py-2">
            <Link
              to="/dashboard/prompts/$"
              params={{ _splat: name }}
              search={{ view: 'checks' }}
              onClick={onClose}
              className="min-w-0 flex-1 truncate rounded-sm font-medium text-accent-ink underline underline-offset-3"
            >
              {name}
            </Link>
            <span className="text-ink-3 text-xs tabular">v{version}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
