import { ArrowRightLeft } from 'lucide-react';
import type { Dispatch, SetStateAction } from 'react';
import { Button } from '../../ui/Button.tsx';
import type { toast } from '../../ui/toasts.ts';
import type { Draft } from '../drafts/draft.ts';
import { moveFromConfig } from './move-from-config.ts';

export interface MoveOfferProps {
  draft: Draft;
  setDraft: Dispatch<SetStateAction<Draft>>;
  /** Shows a message that stays when there is nothing left to move. */
  toast: typeof toast;
}

const list = new Intl.ListFormat('en');

/** Offers to move tools, the output schema and descriptions of variables out of the config. */
export function MoveOffer({ draft, setDraft, toast }: MoveOfferProps) {
  const move = moveFromConfig(draft);
  if (!move) return null;
  const isVariablesOnly = move.names.length === 1 && move.draft.variables.length > draft.variables.length;
  const take = () => {
    setDraft(move.draft);
    toast(`Moved ${list.format(move.names)} out of the config.`, { undo: () => setDraft(draft) });
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 border-line border-b bg-sunken px-4 py-2.5">
      <p className="flex-1 basis-64 text-ink-2 text-xs">
        This config has {list.format(move.names)}.{' '}
        {isVariablesOnly
          ? 'If you move them to Variables, they appear in forms, and the service checks their values before each render.'
          : 'If you move them to Tools, you can edit them in a form, and the service checks them when you save. Programs then read them from the prompt instead of its config.'}
      </p>
      <Button size="sm" onClick={take}>
        <ArrowRightLeft aria-hidden className="size-3.5" />
        {isVariablesOnly ? 'Move to Variables' : 'Move to Tools'}
      </Button>
    </div>
  );
}
