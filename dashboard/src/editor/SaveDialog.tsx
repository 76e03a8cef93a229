import { type FormEvent, useState } from 'react';
import { productionLabel } from '../../../src/contract/label-names.ts';
import { maxVersionMessageLength } from '../../../src/contract/limits.ts';
import { ApiError, messageOf, promptPath, request } from '../lib/api.ts';
import type { Prompt, SavedVersion } from '../lib/types.ts';
import { mayMove, useWorkspace } from '../lib/workspace.ts';
import { refreshPrompts } from '../prompts/queries.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field, FormError } from '../ui/Field.tsx';
import { contentOf, parseConfig } from './draft.ts';
import type { Work } from './use-draft.ts';

interface SaveDialogProps {
  prompt: Prompt;
  work: Work;
  onClose: () => void;
  onSaved: (version: SavedVersion) => void;
  onConflict: () => void;
}

export function SaveDialog({ prompt, work, onClose, onSaved, onConflict }: SaveDialogProps) {
  const mayDeploy = mayMove(useWorkspace(), productionLabel);
  const [message, setMessage] = useState('');
  const [deploy, setDeploy] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const parsed = parseConfig(work.draft.config);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      const saved = await request<SavedVersion>('POST', promptPath(prompt.name, '/versions'), {
        ...contentOf(prompt.type, work.draft),
        config: parsed.config,
        message: message.trim(),
        baseVersion: work.base.version,
        ...(deploy && mayDeploy && { labels: [productionLabel] }),
      });
      onSaved(saved);
    } catch (err) {
      setBusy(false);
      if (!(err instanceof ApiError && err.code === 'version_conflict')) {
        setError(err);
        return;
      }
      await refreshPrompts();
      onConflict();
    }
  };

  return (
    <Dialog open onOpenChange={onClose} title={`Save version ${work.base.version + 1}`}>
      <form onSubmit={save} className="space-y-4" noValidate>
        {parsed.error !== undefined && <FormError>The config is not valid: {parsed.error}</FormError>}
        {error !== undefined && <FormError>{describe(error)}</FormError>}
        <Field
          label="What changed?"
          autoFocus
          maxLength={maxVersionMessageLength}
          value={message}
          onChange={(event) => setMessage(event.target.value)}
          hint="Optional. Shown in the history."
        />
        {mayDeploy ? (
          <label className="flex items-start gap-2">
            <input type="checkbox" className="mt-1 accent-accent" checked={deploy} onChange={(event) => setDeploy(event.target.checked)} />
            <span>
              Deploy to production now
              <span className="block text-ink-3 text-xs">Otherwise applications keep getting the version that is in production.</span>
            </span>
          </label>
        ) : (
          <p className="text-ink-3 text-xs">
            Applications keep getting the version that is in production until a deployer deploys this one.
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={busy} disabled={parsed.error !== undefined}>
            Save version
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function describe(error: unknown): string {
  if (!(error instanceof ApiError) || error.code !== 'invalid_template') return messageOf(error);
  const [syntaxError] = error.details;
  return syntaxError ? `Line ${syntaxError.line}, column ${syntaxError.column}: ${syntaxError.message}` : error.message;
}
