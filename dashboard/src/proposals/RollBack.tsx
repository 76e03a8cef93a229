import { useQuery } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { describeMoveError } from '../checks/refusal.ts';
import { call } from '../lib/api.ts';
import { plural } from '../lib/format.ts';
import type { Proposal } from '../lib/types.ts';
import { mayMove, useWorkspace } from '../lib/workspace.ts';
import { refreshPrompts } from '../prompts/queries.ts';
import { fetchByName } from '../prompts/usage.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { toast } from '../ui/toasts.ts';

interface Move {
  prompt: string;
  label: string;
  from: number;
  to: number;
}

/** Moves the labels of an applied proposal back to the versions that they pointed at before. Rolling back needs no approval. */
export function RollBack({ proposal: { state, result } }: { proposal: Proposal }) {
  const workspace = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  const results = state === 'applied' && result ? result : [];
  const names = [...new Set(results.map(({ prompt }) => prompt))].sort();
  const { data = [] } = useQuery({ queryKey: ['prompts', 'named', names], queryFn: () => fetchByName(names), enabled: names.length > 0 });
  const labels = new Map(data.map((prompt) => [prompt.name, prompt.labels]));
  // A label that has moved since the proposal was applied is left alone.
  const moves = results.flatMap(({ prompt, label, version, from }): Move[] =>
    version === undefined || from === undefined || labels.get(prompt)?.[label] !== version || !mayMove(workspace, label)
      ? []
      : [{ prompt, label, from: version, to: from }],
  );
  if (moves.length === 0) return null;
  return (
    <div>
      <Button onClick={() => setOpen(true)}>
        <Undo2 aria-hidden className="size-4" />
        Roll back
      </Button>
      <p className="mt-2 text-ink-3 text-xs">Moves the labels back to the versions before this proposal. This needs no approval.</p>
      {isOpen && <RollBackDialog moves={moves} onClose={() => setOpen(false)} />}
    </div>
  );
}

function RollBackDialog({ moves, onClose }: { moves: Move[]; onClose: () => void }) {
  // After an error, the dialog still lists the labels that have already moved back.
  const [listed] = useState(moves);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<string[]>([]);
  const rollBack = async () => {
    setBusy(true);
    const failed: string[] = [];
    for (const { prompt, label, to } of moves) {
      await call('moveLabel', { path: { name: prompt, label }, body: { version: to } }).catch((err: unknown) => {
        failed.push(`${prompt}: ${describeMoveError(err, { label, version: to })}`);
      });
    }
    await refreshPrompts();
    setBusy(false);
    setErrors(failed);
    if (failed.length > 0) return;
    onClose();
    toast(`${plural(moves.length, 'prompt')} rolled back.`);
  };
  return (
    <ConfirmDialog open onOpenChange={onClose} title="Roll back?" confirm="Roll back" busy={busy} onConfirm={rollBack}>
      <FormError>{errors.length > 0 && errors.join(' ')}</FormError>
      <p>These labels move back, and applications get the previous versions with their next request:</p>
      <ul className="list-disc space-y-1 pl-5">
        {listed.map(({ prompt, label, from, to }) => (
          <li key={`${prompt} ${label}`} className="wrap-anywhere">{`${label} of ${prompt}: v${from} → v${to}`}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
