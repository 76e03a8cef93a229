import { type ComponentProps, lazy, Suspense } from 'react';

// Loaded with the first dialog, because no page needs one to start.
const LoadedDialog = lazy(() => import('./loaded-dialogs.tsx').then((module) => ({ default: module.Dialog })));
const LoadedConfirmDialog = lazy(() => import('./loaded-dialogs.tsx').then((module) => ({ default: module.ConfirmDialog })));

export function Dialog(props: ComponentProps<typeof LoadedDialog>) {
  return <Suspense>{props.open && <LoadedDialog {...props} />}</Suspense>;
}

/** Asks for confirmation before something that is hard to undo. Closing the dialog cancels it. */
export function ConfirmDialog(props: ComponentProps<typeof LoadedConfirmDialog>) {
  return <Suspense>{props.open && <LoadedConfirmDialog {...props} />}</Suspense>;
}
