import { type ComponentProps, Suspense } from 'react';
import { lazyComponent } from '../lib/chunks.ts';

// The code of dialogs is loaded with the first dialog, because no page shows one when it starts.
const LoadedDialog = lazyComponent(async () => (await import('./loaded-dialogs.tsx')).Dialog);
const LoadedConfirmDialog = lazyComponent(async () => (await import('./loaded-dialogs.tsx')).ConfirmDialog);

export function Dialog(props: ComponentProps<typeof LoadedDialog>) {
  return <Suspense>{props.open && <LoadedDialog {...props} />}</Suspense>;
}

/** Asks for confirmation before an action that is hard to undo. Closing the dialog cancels the action. */
export function ConfirmDialog(props: ComponentProps<typeof LoadedConfirmDialog>) {
  return <Suspense>{props.open && <LoadedConfirmDialog {...props} />}</Suspense>;
}
