import { type FormEvent, useId, useState } from 'react';
import { maxDescriptionLength, maxWebhookUrlLength } from '../../../src/contract/limits.ts';
import { call, errorsByField, messageOf } from '../lib/api.ts';
import type { Webhook, WebhookWithSecret } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field, FormError } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import { EventChoice } from './EventChoice.tsx';
import { refreshWebhooks } from './queries.ts';

interface WebhookDialogProps {
  /** The webhook to change. If absent, a new webhook is created. */
  webhook?: Webhook;
  onClose: () => void;
  onCreated?: (webhook: WebhookWithSecret) => void;
}

type Input = Pick<Webhook, 'url' | 'events' | 'description' | 'format'>;

/** Asks for the URL, the events and a description. */
export function WebhookDialog({ webhook, onClose, onCreated }: WebhookDialogProps) {
  const [input, setInput] = useState<Input>(webhook ?? { url: '', events: 'all', description: '', format: 'json' });
  const formatId = useId();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const fields = errorsByField(error);
  const isAboutField = ['url', 'events', 'description'].some((field) => fields[field] !== undefined);
  const [isIncomplete, setIsIncomplete] = useState(false);
  const hasNoEvents = input.events.length === 0;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsIncomplete(hasNoEvents);
    if (hasNoEvents) return;
    setBusy(true);
    setError(undefined);
    try {
      await save();
    } catch (err) {
      setError(err);
      setBusy(false);
    }
  };
  const save = async () => {
    if (!webhook) {
      const created = await call('createWebhook', { body: { ...pick(input), url: input.url.trim() } });
      onCreated?.(created);
    } else {
      const change = changesOf(webhook, { ...input, url: input.url.trim() });
      if (Object.keys(change).length > 0) await call('changeWebhook', { path: { id: webhook.id }, body: change });
      onClose();
    }
    void refreshWebhooks();
  };

  return (
    <Dialog open onOpenChange={onClose} title={webhook ? 'Edit webhook' : 'New webhook'}>
      <form onSubmit={submit} className="space-y-4" noValidate>
        <FormError>{error !== undefined && !isAboutField ? messageOf(error) : undefined}</FormError>
        <Field
          label="URL"
          type="url"
          inputMode="url"
          required
          autoFocus
          autoComplete="off"
          maxLength={maxWebhookUrlLength}
          placeholder="https://example.com/hooks"
          value={input.url}
          onChange={(event) => setInput({ ...input, url: event.target.value, ...(isSlack(event.target.value) && { format: 'slack' }) })}
          error={fields.url}
          hint="Receives a POST request for each event."
        />
        <div>
          <label htmlFor={formatId} className="mb-1.5 block font-medium">
            Format
          </label>
          <Select
            id={formatId}
            className="w-full"
            value={input.format}
            onChange={(event) => setInput({ ...input, format: event.target.value === 'slack' ? 'slack' : 'json' })}
          >
            <option value="json">JSON, for programs</option>
            <option value="slack">Slack message, for a Slack incoming webhook</option>
          </Select>
        </div>
        <EventChoice
          value={input.events}
          error={isIncomplete && hasNoEvents ? 'Choose at least one event.' : fields.events}
          onChange={(events) => setInput({ ...input, events })}
        />
        <Field
          label="Description"
          autoComplete="off"
          maxLength={maxDescriptionLength}
          placeholder="Reload prompts in the checkout"
          value={input.description}
          onChange={(event) => setInput({ ...input, description: event.target.value })}
          error={fields.description}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={busy}>
            {webhook ? 'Save' : 'Create'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function pick({ url, events, description, format }: Input): Input {
  return { url, events, description, format };
}

/**
 * Returns only the fields that differ. The service checks every URL that it receives, and the URL of an existing webhook may no longer be
 * allowed.
 */
function changesOf(webhook: Webhook, input: Input): Partial<Input> {
  const { url, events, description, format } = input;
  return {
    ...(url !== webhook.url && { url }),
    ...(String(events) !== String(webhook.events) && { events }),
    ...(description !== webhook.description && { description }),
    ...(format !== webhook.format && { format }),
  };
}

/** Returns whether a URL is one of Slack's incoming webhooks, which accept only messages. */
function isSlack(url: string): boolean {
  return /^https:\/\/hooks\.slack(-gov)?\.com\//.test(url.trim());
}
