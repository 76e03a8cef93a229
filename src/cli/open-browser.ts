import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Opens a page in the user's browser. Returns false if this computer has no browser for the user. As with other Unix tools, `BROWSER` names
 * the program to use. If it is empty, no browser is opened.
 */
export async function openBrowser(url: string): Promise<boolean> {
  const [program, ...args] = findOpener();
  if (program === undefined) return false;
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.unref();
  try {
    // Programs that open a browser end immediately, but a browser that is started directly keeps running.
    const ended = once(child, 'exit').then(([code]) => code === 0);
    await once(child, 'spawn');
    return await Promise.race([ended, new Promise<true>((resolve) => setTimeout(resolve, 1000, true).unref())]);
  } catch {
    return false;
  }
}

function findOpener(): string[] {
  const { BROWSER, SSH_CONNECTION, DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME } = process.env;
  if (BROWSER !== undefined) return BROWSER.split(' ').filter((part) => part !== '');
  // Over SSH, a browser on this computer would not open in front of the user.
  if (SSH_CONNECTION) return [];
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32' || WSL_DISTRO_NAME) return ['rundll32.exe', 'url.dll,FileProtocolHandler'];
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : [];
}
