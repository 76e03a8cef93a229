import { useNavigate, useSearch } from '@tanstack/react-router';
import { FileText, MessagesSquare } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { productionLabel } from '../../../src/contract/label-names.ts';
import { maxDescriptionLength } from '../../../src/contract/limits.ts';
import { messageOf, request } from '../lib/api.ts';
import { cx } from '../lib/cx.ts';
import type { PromptType } from '../lib/types.ts';
import { mayEdit, mayMove, useWorkspace } from '../lib/workspace.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { ErrorText, Field, FormError, inputClass } from '../ui/Field.tsx';
import { Page } from '../ui/Page.tsx';
import { toast } from '../ui/toasts.ts';
import { promptFieldErrors } from './field-errors.ts';
import { refreshPrompts } from './queries.ts';
import { parseTags } from './tags.ts';

const types = [
  { type: 'text', label: 'Text', icon: FileText, hint: 'One template' },
  { type: 'chat', label: 'Chat', icon: MessagesSquare, hint: 'Messages with roles' },
] as const;

const firstContent = {
  text: { template: 'Write a short reply to {{ customer }}.\n' },
  chat: {
    messages: [
      { role: 'system', content: 'You are a helpful assistant.' },
      { role: 'user', content: '{{ question }}' },
    ],
  },
};

export function NewPromptPage() {
  const { folder } = useSearch({ from: '/dashboard/new' });
  const navigate = useNavigate();
  const [form, setForm] = useState({ name: folder === undefined ? '' : `${folder}/`, description: '', tags: '' });
  const [type, setType] = useState<PromptType>('text');
  const [template, setTemplate] = useState(firstContent.text.template);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const fields = promptFieldErrors(error, form.name);
  const workspace = useWorkspace();
  const mayDeploy = mayMove(workspace, productionLabel);

  const create = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      const name = form.name.trim();
      const content = type === 'text' ? { template } : firstContent.chat;
      const details = { description: form.description.trim(), tags: parseTags(form.tags), ...(!mayDeploy && { labels: [] }) };
      await request('POST', '/api/prompts', { name, type, ...details, ...content });
      void refreshPrompts();
      toast(mayDeploy ? `${name} created. Version 1 is in production.` : `${name} created. A deployer can deploy it.`);
      await navigate({ to: '/dashboard/prompts/$', params: { _splat: name } });
    } catch (err) {
      setError(err);
      setBusy(false);
    }
  };

  if (!mayEdit(workspace)) {
    return <Page title="New prompt" description={`Creating prompts takes the role editor. Your role here is ${workspace.role}.`} />;
  }
  return (
    <Page title="New prompt">
      <form onSubmit={create} noValidate className="max-w-2xl">
        <Card>
          <div className="space-y-5 p-4 sm:p-6">
            <FormError>{error !== undefined && Object.keys(fields).length === 0 ? messageOf(error) : undefined}</FormError>
            <Field
              label="Name"
              required
              autoFocus
              spellCheck={false}
              autoCapitalize="none"
              autoComplete="off"
              placeholder="support/triage"
              value={form.name}
              onChange={(event) => setForm({ ...form, name: event.target.value })}
              error={fields.name}
              hint="Applications fetch the prompt by this name. Use slashes for folders."
            />
            <fieldset>
              <legend className="mb-1.5 font-medium">Type</legend>
              <div className="grid grid-cols-2 gap-3">
                {types.map(({ type: value, label, icon: Icon, hint }) => (
                  <label
                    key={value}
                    className={cx(
                      'flex cursor-pointer items-center gap-3 rounded-lg border p-3 has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2',
                      type === value ? 'border-accent bg-accent-soft' : 'border-line-strong hover:bg-hover',
                    )}
                  >
                    <input type="radio" name="type" className="sr-only" checked={type === value} onChange={() => setType(value)} />
                    <Icon aria-hidden className={cx('size-5', type === value ? 'text-accent-ink' : 'text-ink-3')} strokeWidth={1.75} />
                    <span>
                      <span className="block font-medium">{label}</span>
                      <span className="block text-ink-2 text-xs">{hint}</span>
                    </span>
                  </label>
                ))}
              </div>
            </fieldset>
            {type === 'text' && (
              <div>
                <label htmlFor="template" className="mb-1.5 block font-medium">
                  Template
                </label>
                <textarea
                  id="template"
                  rows={5}
                  spellCheck={false}
                  aria-invalid={fields.template ? true : undefined}
                  aria-describedby={fields.template ? 'template-error' : undefined}
                  className={`${inputClass} h-auto resize-y py-2 font-mono text-xs leading-5`}
                  value={template}
                  onChange={(event) => setTemplate(event.target.value)}
                />
                <ErrorText id="template-error">{fields.template}</ErrorText>
                <p className="mt-1.5 text-ink-3 text-xs">
                  Liquid syntax: <code className="font-mono">{'{{ variable }}'}</code>, conditions, loops and filters. You can edit it
                  later.
                </p>
              </div>
            )}
            <Field
              label="Description"
              maxLength={maxDescriptionLength}
              value={form.description}
              onChange={(event) => setForm({ ...form, description: event.target.value })}
              error={fields.description}
              hint="Optional. What the prompt is for."
            />
            <Field
              label="Tags"
              value={form.tags}
              onChange={(event) => setForm({ ...form, tags: event.target.value })}
              error={fields.tags}
              hint="Optional. Separate tags with commas."
            />
          </div>
          <div className="flex justify-end gap-2 border-line border-t bg-sunken px-4 py-3 sm:px-6">
            <Button onClick={() => history.back()}>Cancel</Button>
            <Button type="submit" kind="primary" busy={busy}>
              Create prompt
            </Button>
          </div>
        </Card>
      </form>
    </Page>
  );
}
