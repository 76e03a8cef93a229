import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState } from 'react';
import { lazyComponent, loadChunk } from '../lib/chunks.ts';
import { useCurrentWorkspaceId } from '../lib/current-workspace.ts';
import { useSessionLost } from '../lib/session.ts';
import { useShortcut } from '../lib/use-shortcut.ts';
import { CommandPalette } from './CommandPalette.tsx';
import type { PaletteDialog } from './commands.ts';
import { Sidebar } from './Sidebar.tsx';
import { TopBar } from './TopBar.tsx';

// These components are loaded after the page has started.
const Banners = lazyComponent(async () => (await import('./Banners.tsx')).Banners);
const WorkspaceGuard = lazyComponent(async () => (await import('./WorkspaceGuard.tsx')).WorkspaceGuard);
const NewTeamDialog = lazyComponent(async () => (await import('../workspace/NewTeamDialog.tsx')).NewTeamDialog);
const ShortcutsDialog = lazyComponent(async () => (await import('./ShortcutsDialog.tsx')).ShortcutsDialog);
const SessionLostDialog = lazyComponent(async () => (await import('../auth/SessionLostDialog.tsx')).SessionLostDialog);

/**
 * The parent of all pages for signed-in users. When the workspace changes, the pages mount again, so that no state of the previous
 * workspace remains.
 */
export function Shell() {
  const workspaceId = useCurrentWorkspaceId();
  useFocusOnSwitch(workspaceId);
  const [isMember, setMember] = useState(true);
  return (
    <>
      {isMember && <Layout key={workspaceId ?? ''} />}
      <Suspense>
        <WorkspaceGuard onChange={setMember} />
      </Suspense>
    </>
  );
}

/** The layout of all pages. */
function Layout() {
  const [paletteOpen, setPaletteOpen] = useState(false);
  const main = useFocusOnNavigation();
  const [dialog, setDialog] = useState<PaletteDialog>();
  const closeDialog = () => setDialog(undefined);
  useShortcut({ key: '?' }, () => setDialog('shortcuts'));
  const sessionLost = useSessionLost();
  useShortcut({ key: 'k', withControl: true }, () => setPaletteOpen((open) => !open));
  const openPalette = () => setPaletteOpen(true);
  useEffect(preloadDialogs, []);
  useLiveUpdates();

  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[14rem_minmax(0,1fr)]">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-surface focus:px-3 focus:py-2 focus:shadow-pop"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh border-line border-r bg-sunken lg:block">
        <Sidebar onSearch={openPalette} />
      </aside>
      <TopBar onSearch={openPalette} />
      <main id="main" ref={main} tabIndex={-1} className="min-w-0">
        <Suspense>
          <Banners />
        </Suspense>
        <Outlet />
      </main>
      {paletteOpen && <CommandPalette onClose={() => setPaletteOpen(false)} onShowDialog={setDialog} />}
      <Suspense>
        {dialog === 'team' && <NewTeamDialog onClose={closeDialog} />}
        {dialog === 'shortcuts' && <ShortcutsDialog onClose={closeDialog} />}
      </Suspense>
      <Suspense>{sessionLost && <SessionLostDialog />}</Suspense>
    </div>
  );
}

/**
 * Loads dialogs and the results of the command palette on the first pointer move or key press, so that they open without a delay. A page
 * that the user only reads never loads dialogs. If loading fails, a dialog is loaded when it opens.
 */
function preloadDialogs(): () => void {
  const controller = new AbortController();
  const load = () => {
    controller.abort();
    for (const part of [import('../ui/loaded-dialogs.tsx'), import('./PaletteResults.tsx')]) part.catch(() => undefined);
  };
  for (const type of ['pointermove', 'pointerdown', 'keydown']) addEventListener(type, load, { signal: controller.signal, passive: true });
  return () => controller.abort();
}

/** Follows the activity of others. Pages can start without it, so its code is loaded afterwards. */
function useLiveUpdates(): void {
  useEffect(() => {
    const ended = new AbortController();
    loadChunk(() => import('./live-updates.ts')).then(
      ({ showLiveUpdates }) => showLiveUpdates(ended.signal),
      () => undefined,
    );
    return () => ended.abort();
  }, []);
}

/** After a switch to another workspace, moves the focus to the start of the page, because the menu that had the focus is gone. */
function useFocusOnSwitch(workspaceId: string | undefined): void {
  const shown = useRef(workspaceId);
  useEffect(() => {
    if (shown.current === workspaceId) return;
    shown.current = workspaceId;
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [workspaceId]);
}

/**
 * After navigation, moves the focus to the start of the page, for keyboards and screen readers, unless the page has set the focus itself.
 */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const first = useRef(true);
  useEffect(() => {
    if (pathname === undefined) return;
    if (first.current) {
      first.current = false;
      return;
    }
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}
