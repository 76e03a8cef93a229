import { Ellipsis, PenLine, Trash2, Zap } from 'lucide-react';
import { useState } from 'react';
import { findBuiltInPrice } from '../../../src/contract/model-prices.ts';
import { call, messageOf } from '../lib/api.ts';
import type { ModelConnection } from '../lib/types.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button, IconButton } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/Menu.tsx';
import { toast, toastFailure } from '../ui/toasts.ts';
import { kindTexts } from './kinds.ts';
import { refreshConnections } from './queries.ts';

interface ConnectionRowProps {
  connection: ModelConnection;
  canManage: boolean;
  onEdit: () => void;
  onTest: () => void;
}

const shownModels = 6;

/** A connection with its models and actions. */
export function ConnectionRow({ connection, canManage, onEdit, onTest }: ConnectionRowProps) {
  const { name, kind, baseUrl, models, keyHint } = connection;
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-3 sm:px-6">
      <div className="min-w-0 flex-1 basis-64">
        <h3 className="font-medium wrap-anywhere">{name}</h3>
        <p className="text-ink-3 text-xs wrap-anywhere">
          {kindTexts[kind].name} · {baseUrl} · {keyHint === null ? 'no key' : keyHint === '' ? 'key stored' : `key ends in ${keyHint}`}
        </p>
        <div className="mt-1.5 flex flex-wrap gap-1">
          {models.length === 0 && <span className="text-ink-3 text-xs">Any model on the server</span>}
          {models.slice(0, shownModels).map((model) => (
            <Badge key={model}>
              <span className="truncate" title={describePrice(connection, model)}>
                {model}
              </span>
            </Badge>
          ))}
          {models.length > shownModels && <span className="text-ink-3 text-xs">and {models.length - shownModels} more</span>}
        </div>
      </div>
      {canManage && <Actions connection={connection} onEdit={onEdit} onTest={onTest} />}
    </li>
  );
}

function Actions({ connection: { id, name }, onEdit, onTest }: Omit<ConnectionRowProps, 'canManage'>) {
  const [isDeleting, setIsDeleting] = useState(false);
  const [busy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    try {
      await call('deleteModel', { path: { id } });
      toast(`The connection ${name} was deleted.`);
    } catch (err) {
      toastFailure(messageOf(err));
    }
    setBusy(false);
    setIsDeleting(false);
    await refreshConnections();
  };
  return (
    <div className="flex items-center gap-2">
      <Button onClick={onTest}>
        <Zap aria-hidden className="size-4" />
        Test
      </Button>
      <Menu
        trigger={
          <IconButton label={`More actions for ${name}`}>
            <Ellipsis aria-hidden className="size-4" />
          </IconButton>
        }
      >
        <MenuItem icon={PenLine} onSelect={onEdit}>
          Edit
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={Trash2} danger onSelect={() => setIsDeleting(true)}>
          Delete
        </MenuItem>
      </Menu>
      <ConfirmDialog
        open={isDeleting}
        onOpenChange={setIsDeleting}
        title={`Delete the connection ${name}?`}
        confirm="Delete"
        busy={busy}
        onConfirm={remove}
      >
        <p>
          Prompts can no longer run on this connection, and its key is deleted. Earlier runs stay in the history. This cannot be undone.
        </p>
      </ConfirmDialog>
    </div>
  );
}

function describePrice({ prices, baseUrl }: ModelConnection, model: string): string {
  const own = Object.hasOwn(prices, model) ? prices[model] : undefined;
  const price = own ?? findBuiltInPrice(baseUrl, model)?.price;
  return price ? `${model}: $${price.input} in, $${price.output} out per million tokens${own ? '' : ' (list price)'}` : model;
}
