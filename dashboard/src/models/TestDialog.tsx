import { useMutation } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { maxConnectionModels } from '../../../src/contract/limits.ts';
import { call, messageOf } from '../lib/api.ts';
import { formatMs, plural } from '../lib/format.ts';
import type { ModelConnection, ModelConnectionTest } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FormError } from '../ui/Field.tsx';
import { toast } from '../ui/toasts.ts';
import { AllowLine } from './AllowLine.tsx';
import { OfferedModels } from './OfferedModels.tsx';
import { refreshConnections } from './queries.ts';

interface TestDialogProps {
  connection: ModelConnection;
  onClose: () => void;
  onEdit: (connection: ModelConnection) => void;
}

/** Tests a connection. If the test fails, explains why. Otherwise, lets the user select from the models that the server offers. */
export function TestDialog({ connection, onClose, onEdit }: TestDialogProps) {
  const { id } = connection;
  const [chosen, setChosen] = useState(connection.models);
  const test = useMutation({ mutationFn: () => call('testModel', { path: { id } }) });
  const save = useMutation({
    mutationFn: (models: string[]) => call('changeModel', { path: { id }, body: { models } }),
    onSuccess: () => {
      toast('Models saved.');
      void refreshConnections();
      onClose();
    },
  });
  const { mutate } = test;
  useEffect(() => mutate(), [mutate]);
  const problem = test.isError ? messageOf(test.error) : test.data?.problem;
  const isChanged = chosen.join('\n') !== connection.models.join('\n');
  const footer = (
    <>
      {problem != null && <Button onClick={() => onEdit(connection)}>Edit</Button>}
      {!test.isPending && problem != null && <Button onClick={() => test.mutate()}>Test again</Button>}
      {isChanged ? (
        <Button kind="primary" busy={save.isPending} disabled={chosen.length > maxConnectionModels} onClick={() => save.mutate(chosen)}>
          Save models
        </Button>
      ) : (
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      )}
    </>
  );
  return (
    <Dialog open onOpenChange={onClose} title={titleOf(connection, test)} footer={footer}>
      <div role="status" className="space-y-3">
        {test.isPending && <p className="text-ink-3">The server has 30 seconds to respond.</p>}
        <FormError>{problem ?? undefined}</FormError>
        <AllowLine message={problem ?? undefined} />
        {test.data?.ok && <Works test={test.data} />}
        <FormError>{save.isError ? messageOf(save.error) : undefined}</FormError>
      </div>
      {test.data && test.data.models.length > 0 && <OfferedModels offered={test.data.models} chosen={chosen} onChange={setChosen} />}
    </Dialog>
  );
}

function Works({ test: { models, durationMs } }: { test: ModelConnectionTest }) {
  const offers = models.length === 0 ? 'It does not list its models.' : `It offers ${plural(models.length, 'model')}.`;
  return (
    <p className="flex items-center gap-2">
      <CircleCheck aria-hidden className="size-4 shrink-0 text-accent" />
      The server responded in {formatMs(durationMs)}. {offers}
    </p>
  );
}

function titleOf({ name }: ModelConnection, { isPending, data }: { isPending: boolean; data: ModelConnectionTest | undefined }): string {
  if (isPending) return `Testing ${name}…`;
  return data?.ok ? `${name} works` : `${name} does not work yet`;
}
