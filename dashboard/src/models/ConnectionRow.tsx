import { Ellipsis, PenLine, Trash2, Zap } from 'lucide-react';
import { useState } from 'react';
import { findBuiltInPrice, findPriceDate } from '../../../src/contract/model-prices.ts';
import { call, messageOf } from '../lib/api.ts';
import { formatDate } from '../lib/format.ts';
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
  onEditPrices: () => void;
  onTest: () => void;
}

const shownModels = 6;

/** A connection with its models and actions. */
export function ConnectionRow({ connection, canManage, onEdit, onEditPrices, onTest }: ConnectionRowProps) {
  const { name, kind, baseUrl, models, prices, keyHint } = connection;
  // If all models are allowed, the row shows the models that have a price in the connection.
  const listed = models.length === 0 ? Object.keys(prices) : models;
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-3 sm:px-6">
      <div className="min-w-0 flex-1 basis-64">
        <h3 className="font-medium wrap-anywhere">{name}</h3>
        <p className="text-ink-3 text-xs wrap-anywhere">
          {kindTexts[kind].name} · {baseUrl} · {keyHint === null ? 'no key' : keyHint === '' ? 'key stored' : `key ends in ${keyHint}`}
        </p>
        <div className="mt-1.5 flex flex-wrap items-center gap-1">
          {models.length === 0 && (
            <span className="text-ink-3 text-xs">Any model on the server{listed.length > 0 && '. Prices set here:'}</span>
          )}
          {listed.slice(0, shownModels).map((model) => (
            <Badge key={model}>
              <span className="truncate">{model}</span>
              <Price connection={connection} model={model} />
            </Badge>
          ))}
          {listed.length > shownModels && <span className="text-ink-3 text-xs">and {listed.length - shownModels} more</span>}
        </div>
        <Prices connection={connection} models={listed.slice(0, shownModels)} onEdit={canManage ? onEditPrices : undefined} />
      </div>
      {canManage && <Actions connection={connection} onEdit={onEdit} onTest={onTest} />}
    </li>
  );
}

function Actions({ connection: { id, name }, onEdit, onTest }: Omit<ConnectionRowProps, 'canManage' | 'onEditPrices'>) {
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

interface PricesProps {
  connection: ModelConnection;
  /** The models that are shown. */
  models: string[];
  /** Opens the prices for editing. Undefined if the user may not change prices. */
  onEdit: (() => void) | undefined;
}

/** Explains the unit and the source of the prices, with a button to edit them. */
function Prices({ connection: { name, baseUrl, prices }, models, onEdit }: PricesProps) {
  const hasOwn = models.some((model) => Object.hasOwn(prices, model));
  const hasPrice = hasOwn || models.some((model) => findBuiltInPrice(baseUrl, model) !== undefined);
  const listed = findPriceDate(baseUrl);
  const date = listed && formatDate(`${listed}T12:00`);
  return (
    <p className="mt-1.5 text-ink-3 text-xs">
      {hasPrice && 'US dollars per million tokens, input / output. '}
      {date !== undefined && (hasOwn ? `The list prices of ${date} apply to all other models.` : `The list prices of ${date} apply.`)}
      {!hasPrice && date === undefined && 'No prices are known, so runs show no cost.'}{' '}
      {onEdit && (
        <button
          type="button"
          className="rounded-sm text-ink-2 underline underline-offset-2 hover:text-ink"
          aria-label={`Edit prices of ${name}`}
          onClick={onEdit}
        >
          Edit prices
        </button>
      )}
    </p>
  );
}

/** Shows the prices of input and output, or nothing if they are unknown. */
function Price({ connection: { prices, baseUrl }, model }: { connection: ModelConnection; model: string }) {
  const own = Object.hasOwn(prices, model) ? prices[model] : undefined;
  const price = own ?? findBuiltInPrice(baseUrl, model)?.price;
  if (!price) return null;
  return (
    <span className="font-normal text-ink-3">
      ${price.input} / ${price.output}
    </span>
  );
}
