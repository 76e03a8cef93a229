import { type FormEvent, useEffect, useRef, useState } from 'react';
import { NotLangfuse } from '../../../src/formats/langfuse-prompts.ts';
import { errorsByField } from '../lib/api.ts';
import { formatNumber, plural } from '../lib/format.ts';
import { mayManage, useWorkspace } from '../lib/workspace.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { Field, FormError } from '../ui/Field.tsx';
import { describeFailure } from './describe-failure.ts';
import { type LangfuseSettings, readProject } from './read-langfuse.ts';
import type { ExportSource } from './transfer.ts';

interface Progress {
  done: number;
  total: number;
  name: string;
}

/** Reads the prompts of a Langfuse project. Nothing is saved before the user has reviewed the prompts. */
export function LangfuseForm({ onRead }: { onRead: (source: ExportSource) => void }) {
  const isAdmin = mayManage(useWorkspace());
  const [settings, setSettings] = useState<LangfuseSettings>({ url: 'https://cloud.langfuse.com', publicKey: '', secretKey: '' });
  const [progress, setProgress] = useState<Progress>();
  const [failure, setFailure] = useState<unknown>();
  const reading = useRef<AbortController>(undefined);
  // The read is aborted when the component is removed, because nobody would see its result.
  useEffect(() => () => reading.current?.abort(), []);

  const read = async (event: FormEvent) => {
    event.preventDefault();
    const controller = new AbortController();
    reading.current = controller;
    setFailure(undefined);
    setProgress({ done: 0, total: 0, name: '' });
    try {
      if (!URL.canParse(settings.url)) throw new NotLangfuse('Enter an address such as https://cloud.langfuse.com.');
      onRead(await readProject(settings, { signal: controller.signal, onRead: (done, total, name) => setProgress({ done, total, name }) }));
    } catch (err) {
      if (!controller.signal.aborted) setFailure(err);
    }
    setProgress(undefined);
  };
  const errors = errorsByField(failure);
  const fieldOf = (name: keyof LangfuseSettings) => ({
    value: settings[name],
    required: true,
    spellCheck: false,
    autoCapitalize: 'none',
    autoComplete: 'off',
    disabled: progress !== undefined || !isAdmin,
    error: errors[name],
    onChange: ({ target }: { target: HTMLInputElement }) => setSettings({ ...settings, [name]: target.value }),
  });

  return (
    <Section
      title="From Langfuse"
      description={
        isAdmin
          ? 'Reads all prompts of a project with their versions, labels, tags and configs. You can review the changes before anything is saved.'
          : 'Only admins can import a project with all versions and labels.'
      }
    >
      <form onSubmit={(event) => void read(event)} className="space-y-4">
        <Field label="Langfuse address" type="url" {...fieldOf('url')} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Public key" placeholder="pk-lf-…" {...fieldOf('publicKey')} />
          <Field
            label="Secret key"
            type="password"
            placeholder="sk-lf-…"
            hint="Used only for this import. It is neither stored nor logged."
            {...fieldOf('secretKey')}
          />
        </div>
        <FormError>{failure !== undefined && Object.keys(errors).length === 0 && describeReadFailure(failure)}</FormError>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-0 truncate text-ink-2" aria-live="polite">
            {progress && describeProgress(progress)}
          </p>
          <div className="flex gap-2">
            {progress && <Button onClick={() => reading.current?.abort()}>Cancel</Button>}
            <Button type="submit" kind="primary" busy={progress !== undefined} disabled={!isAdmin}>
              Read prompts
            </Button>
          </div>
        </div>
        {progress && progress.total > 0 && (
          <progress aria-label="Prompts read" className="h-1.5 w-full accent-accent" max={progress.total} value={progress.done} />
        )}
      </form>
    </Section>
  );
}

function describeProgress({ done, total, name }: Progress): string {
  return total === 0 ? 'Listing prompts…' : `Reading ${name}: ${formatNumber(done)} of ${plural(total, 'prompt')}`;
}

function describeReadFailure(err: unknown): string {
  if (!(err instanceof NotLangfuse)) return describeFailure(err);
  return /[.?]$/.test(err.message) ? err.message : `${err.message}.`;
}
