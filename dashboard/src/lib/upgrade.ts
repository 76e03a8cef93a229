import { isConnected, subscribeToConnection } from './connection.ts';

/** The script of this page, whose name changes with every build. */
const ownBuild = document.querySelector('script[type=module]')?.getAttribute('src') ?? undefined;
const idleCheckMs = 1_000;
const roomKey = 'promptharbor:room';
/** The number of characters of a large draft. */
const draftCharacters = 256 * 1024;

let newBuild: string | undefined;
let isAssetMissing = false;
let isWaiting = false;
let isReloading = false;

/** Checks for a new build of the dashboard whenever the server becomes reachable again. */
export function watchForUpgrades(): void {
  subscribeToConnection(() => {
    if (isConnected()) void prepareUpgrade();
  });
  // Before a page with unsaved changes is left, the editor asks the user for confirmation. This listener is added before the editor's
  // listener, so that it can prevent the question when the page reloads itself.
  addEventListener('beforeunload', (event) => isReloading && event.stopImmediatePropagation());
}

/**
 * Reloads the page as soon as the user is idle, if the server has a new build, because the assets of this page then no longer exist. Drafts
 * are stored, so nothing is lost and the user is not asked. Returns whether the page will reload.
 */
export async function prepareUpgrade(reason?: 'asset missing'): Promise<boolean> {
  newBuild = await fetchBuild();
  if (newBuild === undefined || newBuild === ownBuild || wasTried(newBuild)) return false;
  isAssetMissing ||= reason === 'asset missing';
  if (!isWaiting) reloadWhenIdle();
  return true;
}

/** Reloads the page if there is a new build. Reloads at most once for each build, so that a broken build cannot reload forever. */
export function reloadForUpgrade(): void {
  if (newBuild === undefined || newBuild === ownBuild || wasTried(newBuild)) return;
  sessionStorage.setItem(keyOf(newBuild), 'reloaded');
  isReloading = true;
  location.reload();
}

function reloadWhenIdle(): void {
  isWaiting = isBusy();
  if (isWaiting) setTimeout(reloadWhenIdle, idleCheckMs);
  else reloadForUpgrade();
}

async function fetchBuild(): Promise<string | undefined> {
  try {
    const response = await fetch('/dashboard', { cache: 'no-store' });
    return response.ok ? buildOf(await response.text()) : undefined;
  } catch {
    return undefined;
  }
}

/** Finds the main script of a page. A parser is not used, because it would apply this page's policy to the styles of the other page. */
function buildOf(page: string): string | undefined {
  return /<script type="module"[^>]* src="([^"]+)"/.exec(page)?.[1];
}

/**
 * Returns whether a reload was already tried for a build. Also returns true if the browser stores nothing or the storage is full. In these
 * cases, drafts would be lost, and reloads could not be counted.
 */
function wasTried(build: string): boolean {
  try {
    localStorage.setItem(roomKey, ' '.repeat(draftCharacters));
    localStorage.removeItem(roomKey);
    return sessionStorage.getItem(keyOf(build)) !== null;
  } catch {
    return true;
  }
}

const keyOf = (build: string) => `promptharbor:reloaded:${build}`;

function isBusy(): boolean {
  const { activeElement } = document;
  const isTyping =
    activeElement instanceof HTMLElement && (activeElement.isContentEditable || activeElement.matches('input,textarea,select'));
  // A dialog may show information that is shown only once. A dialog that waits for a missing asset shows nothing.
  return isTyping || (!isAssetMissing && document.querySelector('[role=dialog],[role=alertdialog]') !== null);
}
